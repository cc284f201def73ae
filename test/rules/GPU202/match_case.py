"""`match` cases that name CUDA, or that only run when a GPU is there."""
import torch


def by_type(model, device):
    match device.type:
        case "cuda":
            return model.cuda()
        case "mps":
            return model.to("mps")
        case _:
            return model


def by_name(model, name):
    match name:
        case "cuda" | "gpu":
            torch.cuda.reset_peak_memory_stats()
        case "cpu":
            torch.cuda.synchronize()  #: GPU202
    return model


def by_availability(model):
    match torch.cuda.is_available():
        case True:
            return model.cuda()
        case False:
            return model


def by_availability_wrong(model):
    match torch.cuda.is_available():
        case False:
            return model.cuda()  #: GPU202 same
        case True:
            return model.cpu()


def by_condition(model, mode):
    match mode:
        case "train" if torch.cuda.is_available():
            return model.cuda().train()
        case "train":
            return model.cuda().train()  #: GPU202 same
        case _:
            return model.eval()


def by_count(model):
    match torch.cuda.device_count():
        case 0:
            return model
        case 1:
            return model.cuda()
        case _:
            return torch.nn.DataParallel(model).cuda()


def by_backend(model, backend):
    match backend:
        case "eager":
            return model.cuda()  #: GPU202 same
        case _:
            return model.cuda()  #: GPU202 same
