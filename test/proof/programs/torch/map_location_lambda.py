# runs: the tensors stay in CPU memory
"""The spelling of the first years."""
import torch

from networks import Classifier

net = Classifier()
net.load_state_dict(torch.load("checkpoints/classifier_gpu1.pth", map_location=lambda storage, loc: storage))
print(net.eval()(torch.rand(2, 1, 8, 8)).shape)
