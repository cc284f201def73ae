# fails: RuntimeError: Device type CUDA is not supported for torch.Generator() api
"""Reproducible noise for a diffusion model."""
import torch

generator = torch.Generator("cuda").manual_seed(42)
latents = torch.randn(1, 4, 8, 8, generator=generator, device="cuda")
betas = torch.linspace(1e-4, 0.02, 10, device="cuda")
alphas = (1 - betas).cumprod(0)
for t in range(3):
    latents = alphas[t].sqrt() * latents + (1 - alphas[t]).sqrt() * torch.randn_like(latents)
print(latents.std().item() > 0)
