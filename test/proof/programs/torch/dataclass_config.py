# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: a default is only a hint, because the settings may name another device
"""Settings in a dataclass."""
from dataclasses import dataclass

import torch


@dataclass
class Config:
    hidden: int = 4
    device: str = "cuda"


config = Config()
model = torch.nn.Linear(2, config.hidden).to(config.device)
print(model(torch.rand(1, 2, device=config.device)).shape)
