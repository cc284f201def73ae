"""Names are split at `_` and at case; only whole words make a switch."""
import torch


def words(x, o):
    if o.use_gpu:
        x = x.cuda()
    if o.useGpu:
        x = x.cuda()
    if o.useGPU:
        x = x.cuda()
    if o.cudaEnabled:
        x = x.cuda()
    if o.ngpu:
        x = x.cuda()
    if o.ngpus_per_node > 1:
        x = x.cuda()
    if o.num_gpus:
        x = x.cuda()
    if o.USE_CUDA:
        x = x.cuda()
    if o.multi_gpu_training:
        x = x.cuda()
    return x


def one_word(x, o):
    if o.usecuda:
        x = x.cuda()  #: GPU202
    return x


def library(x, o):
    if o.cudnn:
        x = x.cuda()  #: GPU202 same
    return x


def glued(x, gpuid):
    if gpuid:
        x = x.cuda()  #: GPU202 same
    return x


def inside_another_word(x, barracuda):
    if barracuda:
        x = x.cuda()  #: GPU202 same
    return x


def other_hardware(x, use_tpu):
    if use_tpu:
        x = x.cuda()  #: GPU202 same
    return x


def item(x, settings):
    if settings["NGPUS"]:
        x = x.cuda()
    if settings["device"]:
        x = x.cuda()  #: GPU202 same
    return x
