"""`device_ids` of `DataParallel` and its kin."""
import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


def one(model):
    return nn.DataParallel(model, device_ids=[0])  #: GPU201 hint


def by_position(model):
    return torch.nn.DataParallel(model, [0])  #: GPU201 hint


def guarded(model):
    if torch.cuda.is_available():
        model = nn.DataParallel(model, device_ids=[0])  #: GPU201 hint
    return model


def second(model):
    return nn.DataParallel(model, device_ids=[1])  #: GPU201 hint


def distributed(model):
    return DDP(model, device_ids=[0])  #: GPU201 hint


def functional(model, batch):
    return nn.parallel.data_parallel(model, batch, device_ids=[0])  #: GPU201 hint


def by_rank(model, rank):
    return DDP(model, device_ids=[rank], output_device=rank)


def all_of_them(model):
    return nn.DataParallel(model), nn.DataParallel(model, device_ids=list(range(torch.cuda.device_count())))


def moved_too(model):
    model = model.to("cuda:0")  #: GPU201
    return nn.DataParallel(model, device_ids=[0])  #: GPU201 hint
