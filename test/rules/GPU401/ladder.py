"""Apple's GPUs are looked for as well."""
import torch

device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
half = "cuda" if torch.cuda.is_available() else "cpu"
