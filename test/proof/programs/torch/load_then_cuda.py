# fails: AssertionError: Torch not compiled with CUDA enabled
"""Loads with care, then calls .cuda() all the same."""
import torch

from networks import Classifier

model = Classifier()
model.load_state_dict(torch.load("checkpoints/classifier.pt", map_location="cpu"))
model = model.cuda()
print(model.eval()(torch.rand(1, 1, 8, 8).cuda()).argmax(1).item())
