import torch
from transformers import pipeline


def numbers(x, path, n):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = x.to(device)
    x = x.to("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    x = x.to(device=device)
    x = x.to("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu", non_blocking=True)
    x = x.to(device, non_blocking=True)
    x = x.to(device)
    x = x.to("cuda:2" if torch.cuda.device_count() > 2 else "cuda" if torch.cuda.is_available() else "cpu")
    a = torch.device("cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    b = torch.device('cuda:0' if torch.cuda.is_available() else 'cpu')
    c = torch.zeros(n, device="cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    d = torch.load(path, map_location="cuda:1" if torch.cuda.device_count() > 1 else "cuda" if torch.cuda.is_available() else "cpu")
    e = pipeline("sentiment-analysis", device=0 if torch.cuda.is_available() else -1)
    f = pipeline("sentiment-analysis", device=1 if torch.cuda.device_count() > 1 else 0 if torch.cuda.is_available() else -1)
    return x, a, b, c, d, e, f
