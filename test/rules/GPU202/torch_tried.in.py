try:
    import torch
except ImportError:
    torch = None


def move(x):
    return x.cuda() if torch else x


def noise():
    return torch.randn(3, device="cuda")
