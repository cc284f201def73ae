# fails: AssertionError: Torch not compiled with CUDA enabled
"""self.device is there, and one method forgot about it."""
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = nn.Linear(4, 2).to(self.device)

    def predict(self, rows):
        x = torch.tensor(rows).cuda()
        return self.model(x).argmax(1).tolist()


print(Trainer().predict([[1.0, 2.0, 3.0, 4.0]]))
