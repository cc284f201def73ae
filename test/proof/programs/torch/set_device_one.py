# fails: AttributeError: module 'torch._C' has no attribute '_cuda_setDevice'
"""Chooses the second GPU at the top."""
import torch

from networks import Classifier

torch.cuda.set_device(1)

model = Classifier().cuda()
images = torch.rand(2, 1, 8, 8).cuda()
print(model(images).detach().cpu().numpy().shape)
