# runs: every .cuda() is guarded by a test
import torch

from networks import Autoencoder

use_cuda = torch.cuda.is_available()
model = Autoencoder()
if use_cuda:
    model.cuda()
    torch.backends.cudnn.benchmark = True
    print("Running on", torch.cuda.get_device_name(0))
x = torch.rand(3, 6)
x = x.cuda() if use_cuda else x
print(model(x).shape)
if torch.cuda.is_available():
    torch.cuda.synchronize()
