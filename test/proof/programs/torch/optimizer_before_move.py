# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Restores the optimizer for a model that is moved by a test."""
import torch

from networks import QNetwork

state = torch.load('checkpoints/dqn.pth')
net = QNetwork()
net.load_state_dict(state['q'])
if torch.cuda.is_available():
    net.cuda()
opt = torch.optim.Adam(net.parameters())
opt.load_state_dict(state['opt'])
observation = torch.rand(1, 4)
if torch.cuda.is_available():
    observation = observation.cuda()
net(observation).max().backward()
opt.step()
print(state['frames'])
