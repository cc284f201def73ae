"""Pinned devices in `map_location`; the keys of a mapping name where a tensor was, not where it goes."""
import torch


def by_string(path):
    return torch.load(path, map_location="cuda:0")  #: GPU201


def by_device(path):
    return torch.load(path, map_location=torch.device("cuda:1"))  #: GPU201


def by_position(path):
    return torch.load(path, "cuda:0")  #: GPU201


def scripted(path):
    return torch.jit.load(path, map_location="cuda:0")  #: GPU201


def to_cpu(path):
    return torch.load(path, map_location={"cuda:0": "cpu", "cuda:1": "cpu"})


def to_other(path):
    return torch.load(path, map_location={"cuda:1": "cuda:0"})  #: GPU201


def to_rank(path, rank):
    return torch.load(path, map_location={"cuda:0": f"cuda:{rank}"})


def to_rank_named(path, rank):
    mapping = {"cuda:0": "cuda:%d" % rank}
    return torch.load(path, map_location=mapping)


def by_function(path):
    return torch.load(path, map_location=lambda storage, location: storage.cuda(1))  #: GPU201


def by_function_cpu(path):
    return torch.load(path, map_location=lambda storage, location: storage)


def guarded(path):
    location = "cuda:0" if torch.cuda.is_available() else "cpu"  #: GPU201 hint
    return torch.load(path, map_location=location)
