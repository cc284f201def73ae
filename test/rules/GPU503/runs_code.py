"""Nothing is known of the machine: what the call says is enough."""
import torch

a = torch.load("runs_code.pt", weights_only=False)  #: GPU503
b = torch.load("unknown_code.pt", map_location="cpu", weights_only=False)  #: GPU503
c = torch.load("runs_code.pt", weights_only=True)  #: GPU503
d = torch.load("torch/namespace.pt", weights_only=True)  #: GPU503

e = torch.load("runs_code.pt")
f = torch.load("torch/namespace.pt")
g = torch.load("torch/namespace.pt", weights_only=False)
h = torch.load("torch/cpu.pt", weights_only=False)
i = torch.load("torch/cpu.pt", weights_only=True)
own = torch.load("torch/whole_own.pt", map_location="cpu", weights_only=False)
