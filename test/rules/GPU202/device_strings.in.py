"""The literal `"cuda"` in each place where it is used as a device."""
import torch
import torch as th
import whisper
from transformers import pipeline


def directly(x):
    x = x.to("cuda")
    x = x.to('cuda', torch.float64)
    x = x.to(
        device="cuda",
        dtype=torch.float64,
    )
    return x.cuda("cuda")


def made(n, path):
    a = torch.zeros(n, device="cuda")
    b = torch.Generator("cuda").manual_seed(1)
    c = torch.load(path, map_location="cuda")
    d = torch.load(path, "cuda")
    e = torch.zeros(n).to(torch.device("cuda"))
    h = torch.load(path, map_location={"cuda:1": "cuda"})
    torch.set_default_device("cuda")
    torch.cuda.set_device("cuda")
    return a, b, c, d, e, h


def elsewhere(texts):
    classify = pipeline("sentiment-analysis", device="cuda")
    speech = whisper.load_model("base", device="cuda", download_root='models')
    return classify(texts), speech


def named(fast, given=None):
    target = "cuda"
    other = "cuda" if fast else "cpu"
    third = "cpu" if not fast else 'cuda'
    fourth = given or "cuda"
    fifth, sixth = "cuda", "cpu"
    wrapped = torch.device("cuda")
    x = torch.zeros(1).to(target).to(other).to(third).to(fourth).to(fifth).to(sixth).to(wrapped)
    for device in ["cuda", "cpu"]:
        x = x.to(device)
    for device in ("cpu", "cuda"):
        x = x.to(device)
    settings = {"device": "cuda"}
    return x.to(settings["device"]), [x.to(each) for each in ("cuda",)]


def nested(x):
    return f"{x.to('cuda').sum()}", f'{x.to("cuda").sum()}'


class Agent:
    device = "cuda"

    def __init__(self):
        self.where = "cuda"

    def act(self, x):
        return x.to(self.where)
