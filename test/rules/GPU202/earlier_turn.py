"""What a loop assigns reaches the start of its next turn."""
import torch


def retrain(net, epochs, train):
    best = None
    for _ in range(epochs):
        if best is not None:
            net.cuda()  #: GPU202
        best = train(net)


def choose(batches, pick):
    ready = torch.cuda.is_available()
    for batch in batches:
        if ready:
            batch.cuda()  #: GPU202 same
        ready = pick(batch)


def steady(batches):
    ready = torch.cuda.is_available()
    seen = 0
    for batch in batches:
        if ready:
            batch.cuda()
        seen += len(batch)
    while seen > 0:
        if ready:
            torch.cuda.synchronize()
        seen -= 1


def climb(batches):
    device = "cpu"
    for batch in batches:
        batch.to(device)
        device = "cuda"  #: GPU202 same
