"""What a program may use says nothing of what it needs."""
import torch

try:
    import flash_attn
except ImportError:
    flash_attn = None


def load(loader, path, args):
    if args.small:
        return loader(path, load_in_8bit=True).to("cuda")  #: GPU202 hint
    return loader(path, load_in_8bit=args.eight).to("cuda")  #: GPU202


def step(batch):
    return batch.cuda()  #: GPU202 same


def attend(batch):
    if flash_attn is not None:
        from flash_attn import flash_attn_func

        return flash_attn_func(batch.cuda())  #: GPU202 hint
    return batch.to("cuda")  #: GPU202 same
