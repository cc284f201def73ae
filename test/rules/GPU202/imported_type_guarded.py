"""The type is one of two, and which is tested for."""
import torch

if torch.cuda.is_available():
    from torch.cuda import FloatTensor
else:
    from torch import FloatTensor

x = FloatTensor(3)
