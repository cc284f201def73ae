# fails: AssertionError: Torch not compiled with CUDA enabled
"""Settings in a dictionary at the top of the file."""
import torch

CONFIG = {
    "lr": 0.1,
    "device": "cuda:0",
    "hidden": 6,
}

model = torch.nn.Linear(2, CONFIG["hidden"]).to(CONFIG["device"])
x = torch.rand(3, 2).to(CONFIG["device"])
print(model(x).relu().sum().item() >= 0)
