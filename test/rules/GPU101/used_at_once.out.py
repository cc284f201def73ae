"""What is calculated with goes where the other tensors are; what only hands on its weights goes to the CPU."""
import numpy as np
import torch

from model import Net


def predict(batch):
    model = torch.load("whole.pt", map_location="cuda" if torch.cuda.is_available() else "cpu")
    model.eval()
    return model(batch.to("cuda" if torch.cuda.is_available() else "cpu"))


def predict_moved(batch, where):
    model = torch.load("whole.pt", map_location="cpu").eval()
    model.to(where)
    return model(batch)


def predict_scripted(batch):
    model = torch.jit.load("scripted.pt", map_location="cuda" if torch.cuda.is_available() else "cpu").eval()
    return model(batch)


def scale(x):
    return x * torch.load("scale.pt")


def normalize(x):
    stats = torch.load("stats.pt")
    return (x - stats["mean"]) / stats["std"]


def resume(model, optimizer, device):
    state = torch.load("last.pt", map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["rng"])
    return state["epoch"]


def resume_without_random_state(model, optimizer, device):
    state = torch.load("last.pt", map_location=device)
    model.load_state_dict(state["model"])
    return state["epoch"]


def plot(device):
    history = torch.load("history.pt")
    return np.asarray(history["loss"]), history["accuracy"].numpy()


class Server:
    def __init__(self):
        self.model = torch.load("whole.pt", map_location="cuda" if torch.cuda.is_available() else "cpu")

    def answer(self, batch):
        return self.model(batch)


def train(loader):
    net = Net().to("cuda" if torch.cuda.is_available() else "cpu")
    inputs, labels = torch.load("data.pt", map_location="cuda" if torch.cuda.is_available() else "cpu")
    weights, rate = torch.load("weights.pt")["weights"][:6], 0.1
    state = torch.load("last.pt", map_location="cpu")
    start = state["epoch"] + 1
    for image in torch.load("images.pt", map_location="cuda" if torch.cuda.is_available() else "cpu"):
        net(image)
    if (ready := torch.load("ready.pt", map_location="cuda" if torch.cuda.is_available() else "cpu")) is not None:
        net(ready)
    other = torch.load("other.pt", map_location="cpu")
    torch.save(other, "copy.pt")
    return net(inputs), torch.dot(weights, labels), rate, start
