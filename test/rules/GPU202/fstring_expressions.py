"""An expression inside an f-string is code; its text is none."""
import torch


def banner():
    return f"running on {torch.cuda.get_device_name()}"  #: GPU202


def guarded_banner():
    if torch.cuda.is_available():
        return f"running on {torch.cuda.get_device_name()}"
    return "running on the CPU"


def conditional_banner():
    return f"on {torch.cuda.get_device_name() if torch.cuda.is_available() else 'CPU'}"


def norm(x):
    print(f"norm: {x.cuda().norm():.3f}")  #: GPU202 same


def text(x):
    print(f"call .cuda() on {x}, or torch.device('cuda')")
    return f"cuda {x.shape}"


def computed_index(rank):
    # The index is not written here, and the launcher chose the rank.
    return torch.device(f"cuda:{rank}"), torch.device("cuda:" + str(rank)), torch.device("cuda:%d" % rank)  #: GPU202 hint, GPU202 hint, GPU202 hint


def plain_fstring():
    return torch.zeros(2, device=f"cuda")  #: GPU202 same
