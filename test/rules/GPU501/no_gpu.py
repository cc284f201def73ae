#: facts {"here": {"devices": {"cuda": {"count": 0, "because": "torch 2.9.0 is built without CUDA"}}, "torch": "2.9.0"}, "torchVersion": "2.9.0"}
import torch

a = torch.load("torch/cuda0.pt")  #: GPU501
b = torch.load("torch/training.ckpt")  #: GPU501
c = torch.load("torch/cpu.pt")
d = torch.load("torch/mps.pt")
e = torch.load("torch/cuda0.pt", map_location=torch.device("cpu"))
if torch.cuda.is_available():
    f = torch.load("torch/cuda0.pt")
g = torch.jit.load("torch/scripted.pt")
