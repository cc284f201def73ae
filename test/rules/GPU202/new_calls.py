"""Further calls of torch that need a GPU, one function for each."""
import torch


def peak():
    torch.cuda.reset_max_memory_allocated()  #: GPU202


def by_default():
    torch.set_default_device("cuda")  #: GPU202 same


def by_type():
    torch.set_default_tensor_type(torch.cuda.FloatTensor)  #: GPU202 same


def by_name():
    torch.set_default_tensor_type("torch.cuda.FloatTensor")  #: GPU202 same


def on_cpu():
    torch.set_default_device("cpu")
    torch.set_default_tensor_type(torch.FloatTensor)
