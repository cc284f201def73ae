"""Sites under every test that establishes a GPU, and the neighbors that the test does not reach."""
import torch
import torch.nn as nn


def move_when_available(model):
    if torch.cuda.is_available():
        model = model.cuda()
    return model


def only_printed(model):
    # Asking is not enough: the answer has to decide.
    print("CUDA:", torch.cuda.is_available())
    return model.cuda()  #: GPU202


def after_the_branch(model, batch):
    if torch.cuda.is_available():
        model = model.cuda()
    batch = batch.cuda()  #: GPU202 same
    return model(batch)


def other_branch(model):
    if torch.cuda.is_available():
        return model.cuda()
    else:
        return model.to("cuda")  #: GPU202 same


def second_condition(model, args):
    if args.full_precision:
        model = model.float()
    elif torch.cuda.is_available():
        model = model.half().cuda()
    return model


def available_and_more(model, args):
    if torch.cuda.is_available() and args.half:
        model = model.half().to("cuda")
    return model


def available_or_forced(model, args):
    if torch.cuda.is_available() or args.force:
        model = model.to("cuda")  #: GPU202 same
    return model


def compared_to_true(model):
    if torch.cuda.is_available() == True:
        model.cuda()
    if torch.cuda.is_available() is True:
        model.cuda()


def nested(model, loader):
    if torch.cuda.is_available():
        for batch in loader:
            with torch.no_grad():
                model(batch.cuda())


def already_initialised():
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def any_accelerator(model):
    if torch.accelerator.is_available():
        return model.to("cuda")
    return model


def like(reference, noise):
    if reference.is_cuda:
        noise = noise.cuda()
    return reference + noise


def counted(model):
    if torch.cuda.device_count():
        model = model.cuda()
    if torch.cuda.device_count() > 0:
        model = model.cuda()
    if torch.cuda.device_count() >= 1:
        model = model.cuda()
    if 0 < torch.cuda.device_count():
        model = model.cuda()
    if torch.cuda.device_count() != 0:
        model = model.cuda()
    if torch.cuda.device_count() == 1:
        model = model.cuda()
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model).cuda()
    return model


def counted_nothing(model):
    if torch.cuda.device_count() >= 0:
        model = model.cuda()  #: GPU202 same
    return model


def one_at_most(model):
    if torch.cuda.device_count() < 2:
        model = model.cuda()  #: GPU202 same
    else:
        model = nn.DataParallel(model).cuda()
    return model
