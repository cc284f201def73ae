#: facts {"torchVersion": "2.3.1"}
"""The default runs what is in the file."""
import dill
import torch

a = torch.load("runs_code.pt")  #: GPU503
b = torch.load("unknown_code.pt", map_location="cpu")  #: GPU503
c = torch.load("torch/namespace.pt", map_location="cpu")
d = torch.load("torch/cpu.pt", map_location="cpu")
e = torch.load("torch/namespace.pt", map_location="cpu", weights_only=True)  #: GPU503
f = torch.load("runs_code.pt", pickle_module=dill)
try:
    g = torch.load("runs_code.pt")  #: GPU503
except Exception:
    g = None
own = torch.load("torch/whole_own.pt", map_location="cpu", weights_only=False)
