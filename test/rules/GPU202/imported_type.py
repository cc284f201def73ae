"""A type that was imported from `torch.cuda`."""
from torch.cuda import FloatTensor, is_available

if is_available():
    y = FloatTensor(2)

x = FloatTensor(3)  #: GPU202


def check(z):
    return isinstance(z, FloatTensor)
