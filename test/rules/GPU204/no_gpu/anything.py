#: facts {"visibleGpus": {"count": 0, "names": "GPU"}}
"""Where there is no GPU, the number is not what is wrong."""
import torch

model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
x = torch.zeros(1).cuda(0)  #: GPU201
