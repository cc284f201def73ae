def move(x):
    return x.to(device)


import torch
from networks import build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

start = move(torch.zeros(1))
build().to(device)
