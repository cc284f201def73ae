"""Names that pin an index, in each place where a device is used."""
import torch
import torch as th
import whisper
from transformers import pipeline

first = "cuda:0" if torch.cuda.is_available() else "cpu"
second = torch.device('cuda:1' if torch.cuda.device_count() > 1 else 'cuda' if torch.cuda.is_available() else 'cpu')
chosen = torch.device("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
by_switch = ("cuda:2" if torch.cuda.device_count() > 2 else "cuda") if whisper and torch.cuda.is_available() else "cpu"


def uses(x, path, shape):
    x = x.to(first).to(second).to(chosen).to(by_switch)
    x = x.to("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    x = x.to('cuda:0' if torch.cuda.is_available() else 'cpu', non_blocking=True)
    a = torch.zeros(shape, device="cuda:0" if torch.cuda.is_available() else "cpu")
    b = torch.load(path, map_location="cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    c = torch.load(path, map_location=torch.device(
        "cuda:0" if torch.cuda.is_available() else "cpu"
    ))
    d = torch.load(
        path, map_location={"cuda:1": "cuda:0" if torch.cuda.is_available() else "cpu"}
    )
    e = x.to("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    f = x[0].to("cuda:0" if torch.cuda.is_available() else "cpu") + x[1].to("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu").sum()
    if torch.cuda.device_count() > 1:
        torch.cuda.set_device("cuda:1")
    with torch.cuda.device("cuda:1" if torch.cuda.device_count() > 1 else -1):
        g = torch.randn(3)
    return a, b, c, d, e, f, g, f"{x.to('cuda:0' if torch.cuda.is_available() else 'cpu').sum()}"


def libraries(texts):
    speech = whisper.load_model(
        "base", device="cuda:0" if torch.cuda.is_available() else "cpu"
    )
    classify = pipeline("sentiment-analysis", device="cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    return speech, classify(texts)


def lists(x):
    for device in ["cpu", "cuda:0" if torch.cuda.is_available() else "cpu", 'cuda:1' if torch.cuda.device_count() > 1 else 'cuda' if torch.cuda.is_available() else 'cpu']:
        x = x.to(device)
    left, right = "cuda:0" if torch.cuda.is_available() else "cpu", "cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu"
    config = {"device": "cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu"}
    return x.to(left).to(right).to(config["device"])


def guarded(x):
    if torch.cuda.is_available():
        x = x.to("cuda:1" if torch.cuda.device_count() > 1 else "cuda")
        x = x.to("cuda:0")
    return x


class Trainer:
    def __init__(self):
        self.device = "cuda:0" if torch.cuda.is_available() else "cpu"

    def run(self, x):
        return x.to(self.device) + x.to("cuda:0" if torch.cuda.is_available() else "cpu")
