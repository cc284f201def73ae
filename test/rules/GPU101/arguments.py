"""What names a device, by keyword and by position, and what does not."""
import io
import pickle

import torch


def no_device(path, buffer):
    plain = torch.load(path)  #: GPU101
    explicit = torch.load(path, map_location=None)  #: GPU101
    positional = torch.load(path, None)  #: GPU101
    tensors_only = torch.load(path, weights_only=True)  #: GPU101
    lazily = torch.load(path, mmap=True, weights_only=True)  #: GPU101
    old = torch.load(path, encoding="latin1")  #: GPU101
    dilled = torch.load(path, pickle_module=pickle)  #: GPU101
    from_bytes = torch.load(io.BytesIO(buffer))  #: GPU101
    by_keyword = torch.load(f=path)  #: GPU101
    return plain, explicit, positional, tensors_only, lazily, old, dilled, from_bytes, by_keyword


def to_a_device(path, device, rank):
    torch.load(path, map_location="cpu")
    torch.load(path, map_location=device)
    torch.load(path, map_location=torch.device("cpu"))
    torch.load(path, "cpu")
    torch.load(path, device, weights_only=True)
    torch.load(path, map_location=lambda storage, location: storage)
    torch.load(path, map_location={"cuda:0": f"cuda:{rank}"})
    torch.load(path, weights_only=True, map_location=device)
    torch.load(f=path, map_location="meta")
    torch.load(
        path,
        map_location=device,
        weights_only=True,
    )


def whatever_the_caller_says(path, *args, **kwargs):
    first = torch.load(path, **kwargs)
    second = torch.load(path, *args)
    return first, second


def where_the_call_begins(path, model):
    checkpoint = torch.load(  #: GPU101
        path,
        weights_only=True,
    )
    model.load_state_dict(
        torch.load(path)  #: GPU101
    )
    return checkpoint


def conditional_location(path, map_location=None):
    # Any value but a literal None is the author's choice.
    location = map_location or None
    return torch.load(path, map_location=location)
