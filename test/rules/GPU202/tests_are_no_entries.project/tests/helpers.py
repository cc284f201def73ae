import torch


def on_gpu(tensor):
    return tensor.cuda()  #: GPU202 hint
