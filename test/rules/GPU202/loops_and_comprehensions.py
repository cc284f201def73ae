"""`while` tests and comprehension conditions guard as `if` does."""
import time

import torch


def warm_up(model, batch, steps=10):
    while torch.cuda.is_available() and steps:
        model(batch.cuda())
        steps -= 1


def wait_for_gpu(model):
    while not torch.cuda.is_available():
        time.sleep(5)
    return model.cuda()


def spin(model, steps):
    while steps:
        model = model.cuda()  #: GPU202
        steps -= 1
    return model


def ensemble(models):
    return [model.cuda() for model in models if torch.cuda.is_available()]


def ensemble_elsewhere(models):
    return [model.cuda() for model in models if model.training]  #: GPU202 same


def names():
    return {
        i: torch.cuda.get_device_name(i)
        for i in range(torch.cuda.device_count())
        if torch.cuda.device_count() > 0
    }


def tensors(batch):
    return {key: value.to("cuda") for key, value in batch.items() if torch.cuda.is_available()}


def tensors_unguarded(batch):
    return {key: value.to("cuda") for key, value in batch.items()}  #: GPU202 same


def on_gpu(tensors, mask):
    return sum((mask.cuda() * t).sum() for t in tensors if t.is_cuda)


def each_gpu():
    # Without a GPU the loop has no turn.
    for index in range(torch.cuda.device_count()):
        print(index, torch.cuda.get_device_name(index))


def each_shard(shards):
    for index in range(len(shards)):
        print(index, torch.cuda.get_device_name(index))  #: GPU202 same
