import torch

from model import Net


def load_early(path):
    return net.load_state_dict(torch.load(path, map_location="cpu"))


def load_late(path):
    return net.load_state_dict(torch.load(path, map_location=DEVICE))


def load_through(path):
    return load_late(path)


start = load_early("start.pt")
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net().to(DEVICE)
model.load_state_dict(torch.load("net.pt", map_location=DEVICE))
model.load_state_dict(load_through("ema.pt"))


def shadowing(path, DEVICE):
    return net.load_state_dict(torch.load(path, map_location=DEVICE))


if __name__ == "__main__":
    model.load_state_dict(torch.load("last.pt", map_location=DEVICE))
