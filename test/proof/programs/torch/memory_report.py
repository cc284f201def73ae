# fails: AttributeError: module 'torch._C' has no attribute '_cuda_resetPeakMemoryStats'
"""Measures the peak of the memory while training."""
import torch

from networks import Autoencoder

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Autoencoder().to(device)
torch.cuda.reset_peak_memory_stats()
for _ in range(3):
    x = torch.rand(32, 6, device=device)
    (model(x) - x).abs().mean().backward()
print("peak %.1f MiB" % (torch.cuda.max_memory_allocated() / 2**20))
