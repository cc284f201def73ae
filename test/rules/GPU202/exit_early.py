"""After an exit taken when there is no GPU, the rest of the block is guarded."""
import os
import sys
import unittest

import pytest
import torch


def returned(model):
    if not torch.cuda.is_available():
        return model
    return model.cuda()


def raised(model):
    if not torch.cuda.is_available():
        raise RuntimeError("this benchmark needs a GPU")
    torch.cuda.synchronize()
    return model.to("cuda")


def continued(models):
    for model in models:
        if not torch.cuda.is_available():
            continue
        model.cuda()
    models[0].cuda()  #: GPU202


def broken_off(models):
    for model in models:
        if not torch.cuda.is_available():
            break
        model.cuda()


def exited():
    if not torch.cuda.is_available():
        sys.exit(1)
    return torch.device("cuda")


def exited_by_name():
    if not torch.cuda.is_available():
        print("no GPU")
        exit()
    return torch.device("cuda")


def quitted():
    if not torch.cuda.is_available():
        quit()
    return torch.device("cuda")


def killed():
    if not torch.cuda.is_available():
        os._exit(2)
    return torch.device("cuda")


def asserted(model):
    assert torch.cuda.is_available(), "CUDA is required"
    return model.cuda()


def asserted_device(model, device):
    assert device.type == "cuda"
    return model.cuda()


def exit_or_more(model, args):
    if not torch.cuda.is_available() or args.dry_run:
        return model
    return model.cuda()


def cpu_leaves(device, fn):
    if device.type == "cpu":
        return fn()
    torch.cuda.synchronize()
    return fn()


def cpu_string_leaves(device, fn):
    if device == "cpu":
        raise ValueError("pick a GPU")
    torch.cuda.synchronize()
    return fn()


def else_leaves(model):
    if torch.cuda.is_available():
        device = torch.device("cuda")
    else:
        raise SystemExit("CUDA is not available")
    torch.cuda.reset_peak_memory_stats()
    return model.to(device)


def few_gpus(model):
    if torch.cuda.device_count() < 2:
        return model
    return torch.nn.DataParallel(model).cuda()


def skipped(model):
    if not torch.cuda.is_available():
        pytest.skip("needs a GPU")
    model.cuda()


class StreamCase(unittest.TestCase):
    def setUp(self):
        self.model = torch.nn.Linear(2, 2)

    def check_stream(self):
        if not torch.cuda.is_available():
            self.skipTest("no GPU")
        stream = torch.cuda.Stream()
        stream.synchronize()

    def check_event(self):
        if not torch.cuda.is_available():
            raise unittest.SkipTest("no GPU")
        torch.cuda.Event().record()


def nested_branch(model, args):
    if not torch.cuda.is_available():
        if args.strict:
            raise RuntimeError("no GPU")
        else:
            return model
    return model.cuda()
