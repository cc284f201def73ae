# fails: AssertionError: Torch not compiled with CUDA enabled
"""Rays through the pixels of a camera."""
import torch

device = "cuda:0"


def get_rays(height, width, focal):
    i, j = torch.meshgrid(
        torch.arange(width, device=device),
        torch.arange(height, device=device),
        indexing="xy",
    )
    directions = torch.stack(
        [(i - width * 0.5) / focal, -(j - height * 0.5) / focal, -torch.ones_like(i)], -1
    )
    return directions / directions.norm(dim=-1, keepdim=True)


field = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4)).to(device)
colour = field(get_rays(4, 5, 2.0))
print(colour.shape)
