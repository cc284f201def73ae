"""Only what runs on every way to the assignment counts."""
import os

import torch


def sometimes(model, quick):
    if quick:
        model.cuda()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def either(model, quick):
    if quick:
        model.cuda()
    else:
        torch.cuda.synchronize()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203


def other_branch(model, quick):
    if quick:
        model.cuda()
    else:
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def for_each(models):
    for model in models:
        model.cuda()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def tried(model):
    try:
        model.cuda()
    except RuntimeError:
        print("no GPU")
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def tried_or_left(model):
    try:
        model.cuda()
    except RuntimeError:
        return
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203


def later(model):
    run = lambda: model.cuda()
    each = [each.cuda() for each in model]
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
    return run, each


def short(model, quick):
    quick and model.cuda()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"


def within(model):
    with torch.no_grad():
        model.cuda()
    os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203


def never(model):
    def inner():
        model.cuda()

    os.environ["CUDA_VISIBLE_DEVICES"] = "1"
    return inner
