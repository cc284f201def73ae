def move(x):
    return x.cuda()


import torch
from networks import build

start = move(torch.zeros(1))
build().cuda()
