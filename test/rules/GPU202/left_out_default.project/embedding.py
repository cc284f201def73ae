"""The script leaves out one of these defaults where it runs on the CPU."""
import torch


def embed(rows, device="cuda"):  #: GPU202
    return torch.tensor(rows, device=device)


def spread(rows, device="cuda"):  #: GPU202 hint
    return torch.tensor(rows, device=device)
