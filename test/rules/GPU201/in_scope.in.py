import torch
import whisper

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
name = "cuda" if torch.cuda.is_available() else "cpu"


def move(x, path):
    x = x.to("cuda:0").cuda(0)
    x = x.to(torch.device("cuda:0"))
    return x, torch.load(path, map_location="cuda:0"), whisper.load_model("base", device="cuda:0"), x.to(name)


def pinned(x):
    return x.cuda(0) + x.to("cuda:0")
