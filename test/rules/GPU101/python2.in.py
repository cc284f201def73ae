import torch

state = torch.load('net.pt')
print 'epoch', torch.load('last.pt')['epoch']
try:
    other = torch.load('other.pt')
except IOError, error:
    print error
