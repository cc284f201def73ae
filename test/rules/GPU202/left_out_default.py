"""The program offers the CPU, and one of its own calls leaves the device out."""
import torch


def embed(rows, device="cuda"):  #: GPU202
    return torch.tensor(rows, device=device)


def spread(rows, device="cuda"):  #: GPU202 hint
    return torch.tensor(rows, device=device)


device = "cuda" if torch.cuda.is_available() else "cpu"
if torch.cuda.is_available():
    print(spread([1.0]))
else:
    print(embed([1.0]), spread([1.0], device="cpu"))
