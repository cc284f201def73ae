import torch

if torch.cuda.is_available():
    torch.cuda.set_device(0)
if torch.cuda.device_count() > 1:
    torch.cuda.set_device(1)  # the free one


def context(fn):
    with torch.cuda.device(1 if torch.cuda.device_count() > 1 else -1):
        fn()
    with torch.no_grad(), torch.cuda.device(0 if torch.cuda.is_available() else -1):
        return fn(
            torch.zeros(1).to("cuda:0" if torch.cuda.is_available() else "cpu")
        ).to(
            "cuda:0" if torch.cuda.is_available() else "cpu"
        )
