# fails: AttributeError: module 'torch._C' has no attribute '_cuda_setDevice'
"""The index of the GPU is an option."""
import argparse

import torch

from networks import QNetwork

parser = argparse.ArgumentParser()
parser.add_argument('--gpu', default=0, type=int, help='which GPU to use')
parser.add_argument('--batch', default=4, type=int)
args = parser.parse_args()

torch.cuda.set_device(args.gpu)
net = QNetwork().cuda()
states = torch.rand(args.batch, 4).cuda()
actions = net(states).argmax(dim=1)
print(actions.tolist())
