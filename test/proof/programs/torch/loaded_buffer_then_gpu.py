# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""What is loaded is sent to the GPU at once."""
import torch

from networks import QNetwork

weights = {name: tensor.cuda() for name, tensor in torch.load("checkpoints/dqn.pth")["q"].items()}
net = QNetwork().cuda()
net.load_state_dict(weights)
print(net(torch.rand(2, 4).cuda()).argmax(1).tolist())
