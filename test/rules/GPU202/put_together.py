"""A device string that is put together with an index needs a GPU as the written one does."""
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--gpu_id", type=int, default=0)
args = parser.parse_args()


class TryOn:
    def __init__(self, gpu_id):
        self.device = "cuda:" + str(gpu_id)  #: GPU202
        self.net = torch.nn.Linear(2, 2).to(self.device)


def formatted(x):
    return x.to(f"cuda:{args.gpu_id}")  #: GPU202 same


def percent(x, index):
    return torch.device("cuda:%d" % index)  #: GPU202 same


def method(x, index):
    return torch.zeros(3, device="cuda:{}".format(index))  #: GPU202 same


def guarded(x):
    if torch.cuda.is_available():
        x = x.to(f"cuda:{args.gpu_id}")
    return x


def chosen(x):
    return x.to(f"cuda:{args.gpu_id}" if args.gpu_id >= 0 else "cpu")


def counted(x):
    return [x.to(f"cuda:{index}") for index in range(torch.cuda.device_count())]


def launched(x, local_rank):
    return x.to(f"cuda:{local_rank}")  #: GPU202 hint


def asked(x):
    return x.to(f"cuda:{torch.cuda.current_device()}")  #: GPU202 same


def shown(index):
    print(f"cuda:{index}")
    name = "cuda:" + str(index)
    return {name: 1}


def other(x, kind):
    return x.to(f"{kind}:0")


def mapped(path, index):
    return torch.load(path, map_location={f"cuda:{index}": "cpu"})
