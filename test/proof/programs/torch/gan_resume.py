# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
"""Resumes both networks and both optimizers from one file, then samples."""
import torch

from networks import Discriminator, Generator

checkpoint = torch.load('checkpoints/gan.pt')
netG, netD = Generator(), Discriminator()
netG.load_state_dict(checkpoint['netG'])
netD.load_state_dict(checkpoint['netD'])
optimizerG = torch.optim.Adam(netG.parameters())
optimizerG.load_state_dict(checkpoint['optimizerG'])

for epoch in range(checkpoint['epoch'], checkpoint['epoch'] + 2):
    noise = torch.randn(8, 8)
    loss = -netD(netG(noise)).log().mean()
    optimizerG.zero_grad()
    loss.backward()
    optimizerG.step()
    print(epoch, round(loss.item(), 4))
