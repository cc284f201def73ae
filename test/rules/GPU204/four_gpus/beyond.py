#: facts {"visibleGpus": {"count": 4, "names": "4 × A100 80GB"}}
import torch

model = torch.nn.Linear(2, 2).to("cuda:4")  #: GPU201, GPU204
if torch.cuda.device_count() > 4:
    model.cuda(4)  #: GPU201 hint
