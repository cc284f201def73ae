"""Another file of the same package: its places belong to the same mark."""
import torch


def halved(picture):
    return picture.cuda()[::2]  #: GPU202 same
