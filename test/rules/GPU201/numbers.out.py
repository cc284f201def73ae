import torch
from transformers import pipeline


def numbers(x, path, n):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = x.to(device)
    x = x.to(device=device)
    x = x.to(device, non_blocking=True)
    x = x.to(device, non_blocking=True)
    x = x.to(device)
    c = torch.zeros(n, device=device)
    d = torch.load(path, map_location=device)
    e = pipeline("sentiment-analysis", device=0 if torch.cuda.is_available() else -1)
    return x, c, d, e
