import torch
from transformers import pipeline


def numbers(x, path, n):
    x = x.cuda(0)
    x = x.cuda(1)
    x = x.cuda(device=0)
    x = x.cuda(1, non_blocking=True)
    x = x.cuda(0, True)
    x = x.to(0)
    x = x.to(2)
    a = torch.device("cuda", 1)
    b = torch.device('cuda', index=0)
    c = torch.zeros(n, device=1)
    d = torch.load(path, map_location=lambda storage, location: storage.cuda(1))
    e = pipeline("sentiment-analysis", device=0)
    f = pipeline("sentiment-analysis", device=1)
    return x, a, b, c, d, e, f
