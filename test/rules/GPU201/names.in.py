"""Names that pin the first GPU, in each place where a device is used."""
import torch
import torch as th
import whisper

first = "cuda:0"


def uses(x, path, shape):
    x = x.to(first)
    x = x.to('cuda:0', non_blocking=True)
    a = torch.zeros(shape, device="cuda:0")
    c = torch.load(path, map_location=torch.device("cuda:0"))
    d = torch.load(path, map_location={"cuda:1": "cuda:0"})
    e = x.cuda("cuda:0")
    return a, c, d, e, f"{x.to('cuda:0').sum()}"


def libraries():
    return whisper.load_model("base", device="cuda:0")


def lists(x):
    for device in ["cpu", "cuda:0"]:
        x = x.to(device)
    left, right = "cuda:0", "cpu"
    config = {"device": "cuda:0"}
    return x.to(left).to(right).to(config["device"])


class Trainer:
    def __init__(self):
        self.device = "cuda:0"

    def run(self, x):
        return x.to(self.device) + x.to("cuda:0")
