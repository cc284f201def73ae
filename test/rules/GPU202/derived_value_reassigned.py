"""Assigning anything else to a derived name ends what it stood for."""
import torch


def overwritten(model):
    ready = torch.cuda.is_available()
    if ready:
        model = model.cuda()
    ready = True
    if ready:
        model = model.cuda()  #: GPU202
    return model


def overwritten_by_a_test(model, name):
    ready = name.endswith(".pt")
    ready = torch.cuda.is_available()
    if ready:
        model = model.cuda()
    return model


def overwritten_on_one_path(model, args):
    ready = torch.cuda.is_available()
    if args.force:
        ready = True
    if ready:
        model = model.cuda()  #: GPU202 same
    return model


def narrowed(model, args):
    ready = torch.cuda.is_available()
    ready = ready and args.half
    if ready:
        model = model.half().cuda()
    return model


def narrowed_in_place(model, args):
    ready = args.half
    ready &= torch.cuda.is_available()
    if ready:
        model = model.half().cuda()
    return model


def loop_name(model, stages):
    ready = torch.cuda.is_available()
    for ready in stages:
        if ready:
            model = model.cuda()  #: GPU202 same
    return model


def parameter(model, ready):
    # The parameter hides whatever a caller computed.
    if ready:
        model = model.cuda()  #: GPU202 same
    return model


class Runner:
    def __init__(self, model):
        self.ready = torch.cuda.is_available()
        self.model = model

    def force(self):
        self.ready = True

    def run(self, batch):
        if self.ready:
            batch = batch.cuda()  #: GPU202 same
        return self.model(batch)


def device_overwritten(model):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = model.to(device)
    device = "cuda"  #: GPU202 same
    return model.to(device)
