# fails: AssertionError: Torch not compiled with CUDA enabled
"""Trains a generator against a discriminator."""
import torch
import torch.nn as nn
import torch.optim as optim

from networks import Discriminator, Generator

nz = 8
netG = Generator(nz).cuda()
netD = Discriminator().cuda()
criterion = nn.BCELoss()
fixed_noise = torch.randn(4, nz).cuda()
optimizerD = optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))

for i in range(3):
    netD.zero_grad()
    real = torch.randn(16, 4).cuda()
    label = torch.full((16, 1), 1.0).cuda()
    errD_real = criterion(netD(real), label)
    errD_real.backward()
    noise = torch.randn(16, nz).cuda()
    fake = netG(noise)
    label.fill_(0.0)
    errD_fake = criterion(netD(fake.detach()), label)
    errD_fake.backward()
    optimizerD.step()

    netG.zero_grad()
    label.fill_(1.0)
    errG = criterion(netD(fake), label)
    errG.backward()
    optimizerG.step()
    print("[%d/3] Loss_D: %.4f Loss_G: %.4f" % (i, (errD_real + errD_fake).item(), errG.item()))
print(netG(fixed_noise).shape)
