import torch

state = torch.load('net.pt', map_location='cpu')
print 'epoch', torch.load('last.pt', map_location='cpu')['epoch']
try:
    other = torch.load('other.pt', map_location='cpu')
except IOError, error:
    print error
