#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import torch

model = torch.nn.Linear(2, 2).to("cuda:0")  #: GPU201
x = torch.zeros(1).cuda(0)  #: GPU201 hint
y = x.to("cuda")
torch.cuda.set_device(0)  #: GPU201 hint
