# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# moves: the file names the second GPU, the program none
"""The class of the pickled model was defined in the training script, so it is defined again here."""
import torch
import torch.nn as nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 1)

    def forward(self, x):
        return self.fc(x)


model = torch.load('checkpoints/regressor_whole.pt')
x = torch.ones(4, 6, device=model.fc.weight.device)
y = model(x).detach().squeeze(1).tolist()
print(['%.3f' % value for value in y])
