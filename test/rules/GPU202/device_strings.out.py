"""The literal `"cuda"` in each place where it is used as a device."""
import torch
import torch as th
import whisper
from transformers import pipeline


def directly(x):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = x.to(device)
    x = x.to(device, torch.float64)
    x = x.to(
        device=device,
        dtype=torch.float64,
    )
    return x.to(device)


def made(n, path):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    a = torch.zeros(n, device=device)
    b = torch.Generator(device).manual_seed(1)
    c = torch.load(path, map_location=device)
    d = torch.load(path, device)
    e = torch.zeros(n).to(device)
    h = torch.load(
        path, map_location={"cuda:1": "cuda" if torch.cuda.is_available() else "cpu"}
    )
    torch.set_default_device(device)
    if torch.cuda.is_available():
        torch.cuda.set_device("cuda")
    return a, b, c, d, e, h


def elsewhere(texts):
    classify = pipeline(
        "sentiment-analysis", device="cuda" if torch.cuda.is_available() else "cpu"
    )
    speech = whisper.load_model(
        "base", device="cuda" if torch.cuda.is_available() else "cpu", download_root='models'
    )
    return classify(texts), speech


def named(fast, given=None):
    target = "cuda" if torch.cuda.is_available() else "cpu"
    other = ("cuda" if torch.cuda.is_available() else "cpu") if fast else "cpu"
    third = "cpu" if not fast else 'cuda' if torch.cuda.is_available() else 'cpu'
    fourth = given or "cuda"
    fifth, sixth = "cuda" if torch.cuda.is_available() else "cpu", "cpu"
    wrapped = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.zeros(1).to(target).to(other).to(third).to(fourth).to(fifth).to(sixth).to(wrapped)
    for device in [*(["cuda"] if torch.cuda.is_available() else []), "cpu"]:
        x = x.to(device)
    for device in ("cpu", *(["cuda"] if torch.cuda.is_available() else [])):
        x = x.to(device)
    settings = {"device": "cuda" if torch.cuda.is_available() else "cpu"}
    return x.to(settings["device"]), [x.to(each) for each in ("cuda" if torch.cuda.is_available() else "cpu",)]


def nested(x):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return f"{x.to(device).sum()}", f'{x.to(device).sum()}'


class Agent:
    device = "cuda"

    def __init__(self):
        self.where = "cuda" if torch.cuda.is_available() else "cpu"

    def act(self, x):
        return x.to(self.where)
