# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Strips the prefix that DataParallel leaves."""
from collections import OrderedDict

import torch

from networks import Classifier


def load_parallel(path):
    state_dict = torch.load(path)
    new_state_dict = OrderedDict()
    for k, v in state_dict.items():
        name = k[7:] if k.startswith("module.") else k
        new_state_dict[name] = v
    return new_state_dict


model = Classifier()
model.load_state_dict(load_parallel("checkpoints/classifier_parallel.pth.tar"), strict=True)
model.eval()
print(model(torch.zeros(1, 1, 8, 8)).argmax().item())
