"""Conditional expressions, `and` and `or` guard the operand that runs only with a GPU."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
map_location = "cuda" if torch.cuda.is_available() else "cpu"
negated = torch.device("cpu") if not torch.cuda.is_available() else torch.device("cuda")
Tensor = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor


def summary():
    name = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    return {
        "device": name,
        "free": torch.cuda.mem_get_info()[0] if torch.cuda.device_count() > 0 else 0,
    }


def wait():
    torch.cuda.is_available() and torch.cuda.synchronize()


def wait_otherwise():
    not torch.cuda.is_available() or torch.cuda.synchronize()


def wait_wrongly():
    torch.cuda.is_available() or torch.cuda.synchronize()  #: GPU202


def wait_too_early():
    # The operand on the left runs before the test.
    return torch.cuda.current_device() and torch.cuda.is_available()  #: GPU202 same


def wrong_side(x):
    return x if torch.cuda.is_available() else x.cuda()  #: GPU202 same


def right_side(x):
    return x.cuda() if torch.cuda.is_available() else x


def like(x, y):
    return y.cuda() if x.is_cuda else y


def chained(model, args):
    return model.cuda() if torch.cuda.is_available() and not args.debug else model


def in_an_argument(batch):
    return torch.zeros(batch, 16, device="cuda" if torch.cuda.is_available() else "cpu")


def in_an_argument_unguarded(batch, half):
    dtype = torch.float16 if half else torch.float32
    return torch.zeros(batch, 16, dtype=dtype, device="cuda")  #: GPU202 same


def three_ways(args):
    name = "mps" if torch.backends.mps.is_available() else "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


def guess(args):
    # Not being on a Mac does not make a GPU.
    name = "mps" if torch.backends.mps.is_available() else "cuda"  #: GPU202 same
    return torch.device(name)
