"""Settings at the top of a script are switched by hand: one that is off now guards nothing."""
import torch

from data import loader
from model import Generator

LOAD_MODEL = False
CHECKPOINT = None
USE_GPU = False


class Config:
    resume = False


def train(net):
    if LOAD_MODEL:
        net.load_state_dict(torch.load("last.pt"))  #: GPU101
        net.cuda()  #: GPU202
    if CHECKPOINT is not None:
        net.half().cuda()  #: GPU202 same
    return net


def resume(net):
    if Config.resume:
        net.cuda()  #: GPU202 same
    return net


def switch(net):
    if USE_GPU:
        net.cuda()
    return net


def only_with_a_gpu(net):
    fast = False
    if torch.cuda.is_available():
        fast = True
    if fast:
        net.cuda()
    return net
