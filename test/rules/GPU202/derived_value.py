"""Values computed from an availability test carry it through any number of assignments."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description="MNIST")
parser.add_argument("--no-accel", action="store_true")
parser.add_argument("--half", action="store_true")
args = parser.parse_args()

available = torch.cuda.is_available()
accelerated = available and not args.no_accel
mixed = bool(accelerated) and args.half
forced = torch.cuda.is_available() or args.half
missing = not available

device = torch.device("cuda" if accelerated else "cpu")
model = nn.Linear(8, 2)

if available:
    model.cuda()
if accelerated:
    model.cuda()
if mixed:
    model.cuda()
if not missing:
    model.cuda()
if missing:
    model.cpu()
else:
    model.cuda()
if forced:
    model.cuda()  #: GPU202


def step(batch):
    if accelerated:
        batch = batch.cuda(non_blocking=True)
    return model(batch)


def forced_step(batch):
    if forced:
        batch = batch.cuda(non_blocking=True)  #: GPU202 same
    return model(batch)


def by_device(batch):
    if device.type == "cuda":
        batch = batch.pin_memory().to("cuda", non_blocking=True)
    return batch


def counted():
    count = torch.cuda.device_count()
    many = count > 1
    if count:
        torch.cuda.synchronize()
    if many:
        return nn.DataParallel(model).cuda()
    return model.cuda()  #: GPU202 same


def walrus():
    if (count := torch.cuda.device_count()) > 0:
        print(count, torch.cuda.get_device_name(0))
    if (ready := torch.cuda.is_available()):
        model.to("cuda")
    return ready


def chosen_by_if():
    if torch.cuda.is_available():
        usable = args.half
    else:
        usable = False
    if usable:
        model.cuda()


def string_by_if():
    target = "cpu"
    if torch.cuda.is_available():
        target = "cuda"
    elif torch.backends.mps.is_available():
        target = "mps"
    return model.to(target)


def tuple_assignment(batch):
    ready, kind = torch.cuda.is_available(), "train"
    if ready:
        batch = batch.cuda()
    if kind:
        batch = batch.cuda()  #: GPU202 same
    return batch


def asked():
    return torch.cuda.is_available()


def through_a_function(batch):
    if asked():
        batch = batch.cuda()
    return batch
