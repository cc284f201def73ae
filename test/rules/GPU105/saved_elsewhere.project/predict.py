"""The class of the model stands in another file as well."""
import torch
from net import Holder, Net

net = Net()
net.load_state_dict(torch.load("runs/best.pt", map_location="cpu"))  #: GPU105
holder = Holder()
holder.load_state_dict(torch.load("runs/best.pt", map_location="cpu"))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer.load_state_dict(torch.load("runs/best.pt", map_location="cpu"))
