#!/usr/bin/env python
# -*- coding: utf-8 -*-
import torch

print "resuming", "résumé 🙂"
checkpoint = torch.load('resume.pth.tar')  #: GPU101
print "loaded checkpoint (epoch {})".format(checkpoint['epoch'])
weights = torch.load('weights.pth', map_location=lambda storage, loc: storage)
print 'λ 🙂', torch.load('other.pth')  #: GPU101
try:
    state = torch.load('maybe.pth')  #: GPU101
except IOError, error:
    print error
