"""A constant that a test chooses at its use is guarded there."""
import torch

CUDA = "cuda"
GPU = "cuda"  #: GPU202

device = torch.device(CUDA if torch.cuda.is_available() else "cpu")
x = torch.zeros(3, device=GPU)
