"""Exits that say nothing about the machine, and tests that do not leave."""
import sys

import torch


def leaves_with_a_gpu(model):
    if torch.cuda.is_available():
        return model.cuda()
    return model.to("cuda")  #: GPU202


def both_conditions(model, args):
    # Leaves only when `dry_run` is on too.
    if not torch.cuda.is_available() and args.dry_run:
        return model
    return model.cuda()  #: GPU202 same


def other_reason(model, args):
    if not args.checkpoint:
        sys.exit("no checkpoint")
    return model.cuda()  #: GPU202 same


def leaves_on_one_path(model, args):
    if not torch.cuda.is_available():
        if args.strict:
            raise RuntimeError("no GPU")
        print("continuing on the CPU")
    return model.cuda()  #: GPU202 same


def leaves_the_inner_function(model):
    def check():
        if not torch.cuda.is_available():
            return False
        return True

    check()
    return model.cuda()  #: GPU202 same


def before_the_exit(model):
    model = model.cuda()  #: GPU202 same
    if not torch.cuda.is_available():
        return None
    return model.cuda()


def asserted_something(model, batch):
    assert batch.is_contiguous()
    return model(batch.cuda())  #: GPU202 same


def loop_is_left(models):
    for model in models:
        if not torch.cuda.is_available():
            break
    return models[0].cuda()  #: GPU202 same


def asserted_either(model, args):
    assert torch.cuda.is_available() or args.cpu_only
    return model.cuda()  #: GPU202 same
