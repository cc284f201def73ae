# runs: the program itself saved the file it loads
import torch

from networks import QNetwork

net = QNetwork()
torch.save(net.state_dict(), "q.pt")
net.load_state_dict(torch.load("q.pt"))
print(net(torch.rand(1, 4)).shape)
