"""An old script: print statements and comma handlers are no reason to look away."""
import argparse
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument('--cuda', action='store_true', help='enables cuda')
opt = parser.parse_args()
print opt

if torch.cuda.is_available() and not opt.cuda:
    print "WARNING: You have a CUDA device, so you should probably run with --cuda"

netG = nn.Linear(8, 8)
if opt.cuda:
    netG.cuda()

for epoch in xrange(25):
    noise = torch.FloatTensor(4, 8).cuda()  #: GPU202
    try:
        output = netG(noise.cuda())
    except RuntimeError, error:
        print "skipped", error
    print 'epoch %d' % epoch, torch.cuda.current_device()  #: GPU202 same
