#: facts {"here": {"devices": {"cuda": {"count": 1, "because": "this machine has 1 GPU"}}, "gpus": [{"name": "GPU 0 (split)", "total": 16, "isSplit": true}]}}
"""Nobody knows how much memory the part has that a program gets."""
import torch

a = torch.load("torch/cpu.pt", map_location="cuda:0")
