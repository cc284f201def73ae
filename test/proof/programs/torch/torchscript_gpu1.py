# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# offered: it names the second GPU
"""TorchScript, and a device that is only there in production."""
import torch

PATH = "checkpoints/scripted_gpu1.pt"

module = torch.jit.load(PATH, map_location="cuda:1")
frame = torch.rand(1, 1, 8, 8, device="cuda:1")
print(module(frame).argmax(1).cpu().item())
