"""What is made half stays as it is where there is no GPU: a CPU is slow with it, and lacks much of it."""
import torch
from transformers import AutoModel


def statement(model):
    model.half().cuda()
    model.cuda().half()
    return model


def kept_under_its_name(model, x):
    model = model.half().cuda()
    x = x.to("cuda").half()
    x = x.to("cuda:1", dtype=torch.float16)
    return model(x)


def elsewhere(model):
    model.half()
    model.cuda()


def not_to_be_kept(name):
    model = AutoModel.from_pretrained(name, torch_dtype=torch.float16).cuda()
    zeros = torch.zeros(3, dtype=torch.half, device="cuda")
    return model(zeros), model.half().to("cuda")


def by_a_variable(x):
    device = "cuda"
    return x.half().to(device)


def whole(x):
    kind = torch.float32
    return x.float().cuda(), x.to("cuda", kind), torch.zeros(3, dtype=torch.float32, device="cuda")
