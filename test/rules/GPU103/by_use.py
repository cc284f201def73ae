"""What an optimizer is given the parameters of is a model, wherever it comes from."""
import torch
import torch.optim as optim

from .networks import UNet, load_pretrained
from .training import train_model

model = UNet(3)
optimizer = optim.Adam(model.parameters(), lr=1e-3)
torch.save(model, "model.pt")  #: GPU103
torch.save(optimizer, "optimizer.pt")

trained = train_model(model, optimizer)
torch.save(trained, "trained.pt")

model = load_pretrained()
torch.save(model, "other.pt")


def fit(net, loader, path):
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    for _ in loader:
        optimizer.step()
    torch.save(net, path)  #: GPU103


def count(net):
    return sum(each.numel() for each in net.weights)


def keep(net, path):
    torch.save(net, path)


scripted = torch.jit.load("scripted.pt", map_location="cpu")
print(sum(each.numel() for each in scripted.parameters()))
torch.save(scripted, "scripted_again.pt")
