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


def made(n, rank, path):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    a = torch.zeros(n, device=device)
    b = torch.Generator(device).manual_seed(1)
    c = torch.load(path, map_location=device)
    d = torch.load(path, device)
    e = torch.zeros(n).to(device)
    f = torch.device('cuda', rank) if torch.cuda.is_available() else torch.device('cpu')
    g = torch.zeros(n).to(
        torch.device("cuda", rank) if torch.cuda.is_available() else torch.device("cpu")
    ).sum()
    h = torch.load(
        path, map_location={"cuda:1": "cuda" if torch.cuda.is_available() else "cpu"}
    )
    torch.set_default_device(device)
    if torch.cuda.is_available():
        torch.cuda.set_device("cuda")
    return a, b, c, d, e, f, g, h


def elsewhere(texts):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    classify = pipeline("sentiment-analysis", device=device)
    speech = whisper.load_model("base", device=device, download_root='models')
    return classify(texts), speech


def named(fast, given=None):
    target = "cuda" if torch.cuda.is_available() else "cpu"
    other = ("cuda" if torch.cuda.is_available() else "cpu") if fast else "cpu"
    third = "cpu" if not fast else 'cuda' if torch.cuda.is_available() else 'cpu'
    fourth = given or "cuda"
    fifth, sixth = "cuda" if torch.cuda.is_available() else "cpu", "cpu"
    wrapped = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.zeros(1).to(target).to(other).to(third).to(fourth).to(fifth).to(sixth).to(wrapped)
    for device in ["cuda" if torch.cuda.is_available() else "cpu", "cpu"]:
        x = x.to(device)
    for device in "cpu", "cuda" if torch.cuda.is_available() else "cpu":
        x = x.to(device)
    settings = {"device": "cuda" if torch.cuda.is_available() else "cpu"}
    choose = lambda: "cuda"
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
