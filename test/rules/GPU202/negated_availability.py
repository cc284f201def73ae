"""The false branch of a negated test is guarded; its true branch is the place without a GPU."""
import warnings

import torch


def pick_device():
    if not torch.cuda.is_available():
        device = torch.device("cpu")
    else:
        device = torch.device("cuda")
    return device


def swapped(model):
    if not torch.cuda.is_available():
        model = model.to("cuda")  #: GPU202
    return model


def warned_only(model):
    if not torch.cuda.is_available():
        warnings.warn("No GPU found, this will be slow")
    return model.cuda()  #: GPU202 same


def second_branch(model, quantised):
    if not torch.cuda.is_available():
        return model
    elif quantised:
        return model.cuda()
    else:
        return model.half().cuda()


def none_counted(model):
    if torch.cuda.device_count() == 0:
        model = model.float()
    else:
        model = model.cuda()
    return model


def less_than_one(model):
    if torch.cuda.device_count() < 1:
        print("running on the CPU")
    else:
        model = model.cuda()
    return model


def compared_to_false(model):
    if torch.cuda.is_available() == False:
        return model.cpu()
    else:
        return model.cuda()


def missing_or_small(model, args):
    # The false branch of `not a or b` implies a.
    if not torch.cuda.is_available() or args.batch_size < 8:
        return model.cpu()
    else:
        return model.cuda()


def missing_and_small(model, args):
    # The false branch of `not a and b` implies nothing.
    if not torch.cuda.is_available() and args.batch_size < 8:
        model = model.cpu()
    else:
        model = model.cuda()  #: GPU202 same
    return model


def not_on_the_cpu(x, weights):
    if not x.is_cuda:
        weights = weights.cpu()
    else:
        weights = weights.cuda()
    return x @ weights


def on_the_cpu(x, weights):
    if not x.is_cuda:
        x = x.cuda()  #: GPU202 same
    return x @ weights
