"""A program that only works on NVIDIA's GPUs anyway."""
import torch
from flash_attn import flash_attn_func

device = "cuda" if torch.cuda.is_available() else "cpu"  #: GPU401 hint
q = torch.zeros(1, 16, 4, 64, device=device)
print(flash_attn_func(q, q, q))
