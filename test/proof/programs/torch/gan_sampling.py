# fails: AssertionError: Torch not compiled with CUDA enabled
# offered: it names the second GPU
"""Draws samples from a generator on the second GPU."""
import torch

from networks import Generator

netG = Generator()
netG.to('cuda:1')
netG.load_state_dict(torch.load('checkpoints/netG_epoch_24.pth'))
netG.eval()
with torch.no_grad():
    for n in range(2):
        z = torch.randn(4, 8, device='cuda:1')
        sample = netG(z).cpu()
        print(n, sample.mean().item())
