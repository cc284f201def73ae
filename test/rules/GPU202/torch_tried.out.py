try:
    import torch
except ImportError:
    torch = None


def move(x):
    return x.to("cuda" if torch.cuda.is_available() else "cpu") if torch else x


def noise():
    return torch.randn(3, device="cuda" if torch.cuda.is_available() else "cpu")
