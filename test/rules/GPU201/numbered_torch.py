"""Numbers that torch and safetensors take for GPUs."""
import torch
from safetensors.torch import load_file


def device():
    return torch.device(1)  #: GPU201


def read(path):
    return load_file(path, 0)  #: GPU201


def read_on_cpu(path, rank):
    return load_file(path, "cpu"), torch.device(rank)
