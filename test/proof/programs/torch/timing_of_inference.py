# fails: AssertionError: Torch not compiled with CUDA enabled
# offered: it measures a GPU, so its findings are hints
"""Frames per second of a network."""
import time

import torch

from networks import Classifier

model = Classifier().eval().cuda()
frame = torch.rand(1, 1, 8, 8).cuda()

times = []
with torch.no_grad():
    for i in range(5):
        torch.cuda.synchronize()
        tic = time.perf_counter()
        model(frame)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - tic)
print("FPS above zero:", 1 / (sum(times) / len(times)) > 0)
