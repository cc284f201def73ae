"""The variable that holds the device, wherever a program may have one."""
import argparse

import torch

from model import Net

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
parser.add_argument("--gpu-device", type=int, default=0)
args = parser.parse_args()


def parameter(path, device):
    return net.load_state_dict(torch.load(path, map_location=device))


def parameter_by_default(path, device="cpu"):
    return net.load_state_dict(torch.load(path, map_location=device))


def number(path, device: int):
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def maybe_none(path, device=None):
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def none_replaced(path, device=None):
    if device is None:
        device = torch.device("cpu")
    return net.load_state_dict(torch.load(path, map_location=device))


def none_replaced_in_place(path, device=None):
    device = device or torch.device("cpu")
    return net.load_state_dict(torch.load(path, map_location=device))


def both_branches(path, fast):
    if fast and torch.cuda.is_available():
        device = torch.device("cuda")
    else:
        device = torch.device("cpu")
    return net.load_state_dict(torch.load(path, map_location=device))


def other_branch_leaves(path):
    if torch.cuda.is_available():
        device = "cuda"
    else:
        raise SystemExit("no GPU")
    return net.load_state_dict(torch.load(path))


def tried(path):
    try:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    except RuntimeError:
        device = torch.device("cpu")
    return net.load_state_dict(torch.load(path, map_location=device))


def tried_in_vain(path):
    try:
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    except RuntimeError:
        print("no device")
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def in_a_block(path):
    with torch.no_grad():
        device = torch.device("cpu")
    for _ in range(2):
        state = net.load_state_dict(torch.load(path, map_location=device))
    return state


def only_in_a_loop(paths):
    for path in paths:
        device = torch.device("cpu")
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def numbered(path):
    device = 0
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def replaced_by_number(path, count):
    device = torch.device("cpu")
    if count:
        device = 0
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def deleted(path):
    chosen = torch.device("cpu")
    del chosen
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def from_options(path):
    device = args.device
    return net.load_state_dict(torch.load(path, map_location=device))


def from_numbered_option(path):
    device = args.gpu_device
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def of_another_tensor(path, batch):
    device = batch.device
    return net.load_state_dict(torch.load(path, map_location=device))


def in_a_closure(path):
    device = torch.device("cpu")

    def load():
        return net.load_state_dict(torch.load(path, map_location=device))

    return [load() for _ in range(2)], lambda: net.load_state_dict(torch.load(path, map_location=device))


def shadowed(paths):
    device = torch.device("cpu")
    return [net.load_state_dict(torch.load(path, map_location="cpu")) for path, device in paths], device


def own_name():
    device = net.load_state_dict(torch.load("device.pt", map_location="cpu"))
    return device


def other_names(path):
    target = torch.device("cpu")
    label = "cuda"
    return net.load_state_dict(torch.load(path, map_location=target)), label, target


def several(path):
    eval_device = torch.device("cpu")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return net.load_state_dict(torch.load(path, map_location=device)), eval_device


def select_device():
    return torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")


def made_by_a_function(path):
    dev = select_device()
    return net.load_state_dict(torch.load(path, map_location=dev))


class Trainer:
    def __init__(self, path, device):
        self.first = net.load_state_dict(torch.load(path, map_location=device))
        self.device = torch.device(device)
        self.second = net.load_state_dict(torch.load(path, map_location=device))

    def resume(self, path):
        return net.load_state_dict(torch.load(path, map_location=self.device))

    @staticmethod
    def peek(path):
        return net.load_state_dict(torch.load(path, map_location="cpu"))


class LateTrainer:
    def __init__(self, path):
        self.model = self.load(path)
        self.device = torch.device("cpu")

    def load(self, path):
        return net.load_state_dict(torch.load(path, map_location="cpu"))


class Configured:
    device = torch.device("cpu")
    state = net.load_state_dict(torch.load("net.pt", map_location=device))

    def load(self, path):
        return net.load_state_dict(torch.load(path, map_location="cpu"))


def phone(path, device):
    return device, net.load_state_dict(torch.load(path, map_location="cpu"))


def mouse(path, device):
    print(device.name)
    return net.load_state_dict(torch.load(path, map_location="cpu"))


mouse("net.pt", device="mouse 7")


def one_of_two(path, device=None):
    device = device if device is not None else torch.device("cpu")
    return net.load_state_dict(torch.load(path, map_location=device))
