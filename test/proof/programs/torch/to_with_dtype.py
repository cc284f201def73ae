# fails: AssertionError: Torch not compiled with CUDA enabled
""".to with more than a device."""
import torch

x = torch.arange(6).to("cuda", torch.float32)
w = torch.rand(6, dtype=torch.float64).to("cuda", dtype=torch.float32, non_blocking=True)
b = torch.zeros(1).to(device=torch.device("cuda"), copy=True)
y = (x * w).sum() + b
print(y.dtype, y.shape)
