# runs: one attribute guards the whole class
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.use_gpu = torch.cuda.is_available()
        self.fc = nn.Linear(3, 2)
        if self.use_gpu:
            self.fc = self.fc.cuda()

    def forward(self, x):
        if self.use_gpu:
            x = x.cuda()
        mask = torch.cuda.FloatTensor(2).fill_(1) if self.use_gpu else torch.ones(2)
        return self.fc(x) * mask


print(Model()(torch.rand(1, 3)).shape)
