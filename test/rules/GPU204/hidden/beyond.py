#: facts {"visibleGpus": {"count": 1, "names": "8 × A100 80GB", "value": "3"}}
import torch

model = torch.nn.Linear(2, 2).to("cuda:3")  #: GPU201, GPU204
x = torch.zeros(1).cuda(0)  #: GPU201
