#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201, GPU204
state = torch.load("a.pt", map_location="cuda:3")  #: GPU201, GPU204
x = torch.zeros(1, device="cuda:1")  #: GPU201 hint, GPU204
y = x.cuda(1)  #: GPU201 hint, GPU204
torch.cuda.set_device(1)  #: GPU201 hint, GPU204
device = torch.device("cuda", 2)  #: GPU201, GPU204
with torch.cuda.device(1):  #: GPU201 hint, GPU204
    print(y)
