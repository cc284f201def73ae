"""Names that pin an index, in each place where a device is used."""
import torch
import torch as th
import whisper
from transformers import pipeline

first = "cuda:0"
second = torch.device('cuda:1')
chosen = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")
by_switch = "cuda:2" if whisper and torch.cuda.is_available() else "cpu"


def uses(x, path, shape):
    x = x.to(first).to(second).to(chosen).to(by_switch)
    x = x.to("cuda:1")
    x = x.to('cuda:0', non_blocking=True)
    a = torch.zeros(shape, device="cuda:0")
    b = torch.load(path, map_location="cuda:1")
    c = torch.load(path, map_location=torch.device("cuda:0"))
    d = torch.load(path, map_location={"cuda:1": "cuda:0"})
    e = x.cuda("cuda:1")
    f = x[0].to("cuda:0") + x[1].to("cuda:1").sum()
    torch.cuda.set_device("cuda:1")
    with torch.cuda.device("cuda:1"):
        g = torch.randn(3)
    return a, b, c, d, e, f, g, f"{x.to('cuda:0').sum()}"


def libraries(texts):
    speech = whisper.load_model("base", device="cuda:0")
    classify = pipeline("sentiment-analysis", device="cuda:1")
    return speech, classify(texts)


def lists(x):
    for device in ["cpu", "cuda:0", 'cuda:1']:
        x = x.to(device)
    left, right = "cuda:0", "cuda:1"
    config = {"device": "cuda:1"}
    return x.to(left).to(right).to(config["device"])


def guarded(x):
    if torch.cuda.is_available():
        x = x.to("cuda:1")
        x = x.to("cuda:0")
    return x


class Trainer:
    def __init__(self):
        self.device = "cuda:0"

    def run(self, x):
        return x.to(self.device) + x.to("cuda:0")
