#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import torch

model = torch.nn.Linear(2, 2)
model.to("cuda:1")
if torch.cuda.device_count() > 1:
    torch.cuda.set_device(1)
