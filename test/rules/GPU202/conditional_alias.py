"""A name that is the function only where there is a GPU may be called anywhere."""
import torch


def nothing():
    return None


wait = torch.cuda.synchronize if torch.cuda.is_available() else nothing
wait()

if torch.cuda.is_available():
    sync = torch.cuda.synchronize
else:
    sync = nothing
sync()

always = torch.cuda.synchronize
always()  #: GPU202


def by_flag(fast):
    finish = torch.cuda.synchronize if fast else nothing
    finish()  #: GPU202 same


def by_type(device_type):
    finish = torch.cuda.synchronize if device_type == "cuda" else lambda: None
    finish()
