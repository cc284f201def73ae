import torch
from transformers import pipeline


def numbers(x, path, n):
    x = x.cuda(0)
    x = x.cuda(device=0)
    x = x.cuda(0, non_blocking=True)
    x = x.cuda(0, True)
    x = x.to(0)
    c = torch.zeros(n, device=0)
    d = torch.load(path, map_location=lambda storage, location: storage.cuda(0))
    e = pipeline("sentiment-analysis", device=0)
    return x, c, d, e
