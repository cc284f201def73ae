#: facts {"visibleGpus": {"count": 4, "names": "4 × A100 80GB"}}
import torch

model = torch.nn.Linear(2, 2).to("cuda:3")  #: GPU201
x = torch.zeros(1).cuda(3)  #: GPU201 hint
