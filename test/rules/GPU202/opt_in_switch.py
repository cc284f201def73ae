"""A switch that somebody turns on asks for the GPU: what it encloses is quiet."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true", help="train on the GPU")
parser.add_argument("--gpu", type=int, default=None, help="GPU to use")
parser.add_argument("--gpu_ids", type=str, default="", help="e.g. 0 or 0,1")
parser.add_argument("--n_gpu", type=int, default=0)
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()

device = torch.device("cuda" if args.cuda else "cpu")
model = nn.Linear(4, 2)
criterion = nn.CrossEntropyLoss()

if args.cuda:
    model.cuda()
    criterion.cuda()
if args.gpu is not None:
    torch.cuda.set_device(args.gpu)
    model = model.cuda(args.gpu)
if args.n_gpu > 0:
    model = nn.DataParallel(model).cuda()
if args.gpu_ids:
    model.cuda()
if len(args.gpu_ids) > 0:
    model.cuda()
if args.cuda and args.amp:
    model.half().cuda()
if args.amp:
    model.half().cuda()  #: GPU202


def to_device(batch, use_gpu=False):
    return batch.cuda() if use_gpu else batch


def chosen(batch, gpu=None):
    if gpu is None:
        return batch
    return batch.cuda(gpu)


def nobody_chose(batch, gpu=None):
    if gpu is not None:
        batch = batch.cuda(gpu)
    else:
        batch = batch.cuda()  #: GPU202 same
    return batch


def negative_means_cpu(batch, opt):
    if opt.gpu >= 0:
        batch = batch.cuda(opt.gpu)
    if opt.gpu > -1:
        batch = batch.cuda(opt.gpu)
    if opt.gpu < 0:
        batch = batch.cpu()
    else:
        batch = batch.cuda(opt.gpu)
    return batch


def from_config(batch, config):
    if config["gpu"]:
        batch = batch.cuda()
    if config["train"]["use_cuda"]:
        batch = batch.cuda()
    if config["train"]["shuffle"]:
        batch = batch.cuda()  #: GPU202 same
    return batch


def returns_early(batch, use_cuda):
    if not use_cuda:
        return batch
    return batch.cuda()


def either(batch, args):
    # One of two reasons is not enough to know which.
    if args.cuda or args.amp:
        batch = batch.cuda()  #: GPU202 same
    return batch


class Model(nn.Module):
    def __init__(self, opt):
        super().__init__()
        self.use_gpu = opt.use_gpu
        self.gpu_ids = opt.gpu_ids
        self.Tensor = torch.cuda.FloatTensor if self.gpu_ids else torch.Tensor

    def forward(self, x):
        if self.use_gpu:
            x = x.cuda()
        return x
