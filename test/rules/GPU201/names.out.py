"""Names that pin the first GPU, in each place where a device is used."""
import torch
import torch as th
import whisper

first = "cuda" if torch.cuda.is_available() else "cpu"


def uses(x, path, shape):
    x = x.to(first)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = x.to(device, non_blocking=True)
    a = torch.zeros(shape, device=device)
    c = torch.load(path, map_location=device)
    d = torch.load(
        path, map_location={"cuda:1": "cuda" if torch.cuda.is_available() else "cpu"}
    )
    e = x.to(device)
    return a, c, d, e, f"{x.to(device).sum()}"


def libraries():
    return whisper.load_model(
        "base", device="cuda" if torch.cuda.is_available() else "cpu"
    )


def lists(x):
    for device in ["cpu", "cuda" if torch.cuda.is_available() else "cpu"]:
        x = x.to(device)
    left, right = "cuda" if torch.cuda.is_available() else "cpu", "cpu"
    config = {"device": "cuda" if torch.cuda.is_available() else "cpu"}
    return x.to(left).to(right).to(config["device"])


class Trainer:
    def __init__(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def run(self, x):
        return x.to(self.device) + x.to(self.device)
