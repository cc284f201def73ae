"""Below `tests/`, so a test file whatever its name."""
import torch


def golden(name):
    return torch.load(f"tests/golden/{name}.pt")  #: GPU101 hint


def golden_script(name):
    return torch.jit.load(f"tests/golden/{name}.ts")  #: GPU101 hint
