import torch
import whisper

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
name = "cuda" if torch.cuda.is_available() else "cpu"


def move(x, path):
    x = x.to(device).to(device)
    x = x.to(device)
    return x, torch.load(path, map_location=device), whisper.load_model("base", device=name), x.to(name)


def pinned(x):
    return x.to(device) + x.to(device)
