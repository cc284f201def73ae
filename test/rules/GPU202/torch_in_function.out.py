"""Torch is imported where it is needed."""
import sys


def train(batches):
    import torch as th  # slow
    from networks import build
    device = th.device("cuda" if th.cuda.is_available() else "cpu")

    model = build().to(device)
    for batch in batches:
        model(batch.to(device))
    if th.cuda.is_available():
        th.cuda.synchronize()
    return model


def evaluate(batches):
    if not batches:
        return
    try:
        import torch
    except ImportError:
        sys.exit("needs torch")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for batch in batches:
        batch.to(device)
