"""A constant that a test chooses at its use is guarded there, whatever the constant is called."""
import torch

FIRST = "cuda:0"  #: GPU201 hint
SECOND = "cuda:1"  #: GPU201
ANY = "cuda:0"  #: GPU201

chosen = torch.device(FIRST if torch.cuda.is_available() else "cpu")
other = torch.device(SECOND if torch.cuda.is_available() else "cpu")
x = torch.zeros(3, device=ANY)
