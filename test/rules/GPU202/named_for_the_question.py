"""A function's name is a test where it asks for a GPU, and none where CUDA is a word of what it makes."""
import torch


def from_engine(runtime, blob):
    engine = runtime.deserialize_cuda_engine(blob)
    assert engine is not None
    return torch.cuda.Stream()  #: GPU202


def from_source(load_cuda_source, x):
    source = load_cuda_source()
    if source:
        x = x.cuda()  #: GPU202 same
    return x


def asked(has_cuda, get_free_gpu, is_torch_cuda_available, x):
    if has_cuda():
        x = x.cuda()
    if get_free_gpu() is not None:
        x = x.cuda()
    if is_torch_cuda_available():
        x = x.cuda()
    return x
