#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import torch

try:
    model = torch.nn.Linear(2, 2).to("cuda:1")  #: GPU201
except RuntimeError:
    model = torch.nn.Linear(2, 2)

try:
    x = torch.zeros(1, device="cuda:1")  #: GPU201 hint, GPU204
finally:
    print("done")
