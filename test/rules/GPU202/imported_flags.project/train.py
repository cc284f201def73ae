import settings
from settings import FAST, VERBOSE, can_accelerate, is_quick


def step(batch):
    if FAST:
        batch = batch.cuda()
    if settings.can_accelerate():
        batch = batch.cuda()
    if can_accelerate() and settings.FAST:
        batch = batch.cuda()
    return batch


def shown(batch):
    if VERBOSE or is_quick():
        batch = batch.cuda()  #: GPU202
    return batch
