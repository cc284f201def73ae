# fails: AssertionError: Torch not compiled with CUDA enabled
"""Says first what it runs on."""
import torch

print("PyTorch", torch.__version__)
print("GPU:", torch.cuda.get_device_name(0))
x = torch.linspace(0, 1, 5)
print(torch.sin(x))
