# fails: AssertionError: Torch not compiled with CUDA enabled
# stays: only the author knows which type takes the place of a tensor type of CUDA
"""A variational autoencoder with its noise on the GPU."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable


class VAE(nn.Module):
    def __init__(self):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(10, 6)
        self.mu, self.logvar = nn.Linear(6, 2), nn.Linear(6, 2)
        self.fc2 = nn.Linear(2, 10)

    def reparametrize(self, mu, logvar):
        std = logvar.mul(0.5).exp_()
        eps = torch.cuda.FloatTensor(std.size()).normal_()
        eps = Variable(eps)
        return eps.mul(std).add_(mu)

    def forward(self, x):
        h = F.relu(self.fc1(x))
        mu, logvar = self.mu(h), self.logvar(h)
        return torch.sigmoid(self.fc2(self.reparametrize(mu, logvar))), mu, logvar


model = VAE()
model.cuda()
x = Variable(torch.rand(4, 10)).cuda()
recon, mu, logvar = model(x)
loss = F.binary_cross_entropy(recon, x) - 0.5 * torch.mean(1 + logvar - mu.pow(2) - logvar.exp())
loss.backward()
print(loss.item())
