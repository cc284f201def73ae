"""One GPU of several: which one takes its place elsewhere is for its author to say."""
import torch

from net import Net

device = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")
net = Net().to("cuda:1")
net.load_state_dict(torch.load("net.pt", map_location="cuda:1"))
state = torch.load("state.pt", map_location=torch.device("cuda:1"))
net.load_state_dict(state["net"])
whole = torch.load("whole.pt", map_location="cuda:1")
print(whole(torch.zeros(2, device="cuda:1")))
