"""A module without parameters moves nothing; one with a weight, or an unknown one, does."""
import torch
from torch import nn

measure = nn.NLLLoss().cuda()
loss = nn.CrossEntropyLoss()
loss.cuda()
activation = nn.ReLU(inplace=True).to(torch.device("cuda"))  #: GPU202
weighted = nn.CrossEntropyLoss(weight=torch.ones(3)).cuda()  #: GPU202 same
layer = nn.Linear(2, 2).cuda()  #: GPU202 same
