"""torch is optional for this package, as for many."""
try:
    import torch
except ImportError:
    torch = None

try:
    from torch.jit import load as load_script
except ImportError:
    load_script = None


def read_weights(path):
    if torch is None:
        raise RuntimeError("Reading .pt files needs PyTorch: pip install torch")
    return torch.load(path)  #: GPU101


def read_script(path):
    return load_script(path)  #: GPU101
