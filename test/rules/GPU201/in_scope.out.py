import torch
import whisper

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
name = "cuda" if torch.cuda.is_available() else "cpu"


def move(x, path):
    x = x.to(device).to(device)
    x = x.to(
        "cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu"
    ).to("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    x = x.to(device).to(torch.device(
        "cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu"
    ))
    return x, torch.load(path, map_location=device), whisper.load_model("base", device=name), x.to(name)


def pinned(x):
    device = "cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu"
    x = x.to(device)
    return x.to(name) + x.to(name)
