"""Functions and lambdas that are defined inside a guard are guarded."""
import torch

if torch.cuda.is_available():

    def to_device(x):
        return x.cuda(non_blocking=True)

    def synchronize():
        torch.cuda.synchronize()

    class Prefetcher:
        def __init__(self, loader):
            self.loader = loader
            self.stream = torch.cuda.Stream()

        def __iter__(self):
            for batch in self.loader:
                with torch.cuda.stream(self.stream):
                    yield batch.cuda(non_blocking=True)

else:

    def to_device(x):
        return x

    def synchronize():
        pass


move = (lambda x: x.cuda()) if torch.cuda.is_available() else (lambda x: x)
move_always = lambda x: x.cuda()  #: GPU202


def make_mover(use_gpu):
    if use_gpu:

        def move(x):
            return x.to("cuda")

        return move

    def stay(x):
        return x

    return stay


def make_mover_after_exit():
    if not torch.cuda.is_available():
        return lambda x: x

    def move(x):
        return x.to("cuda")

    return move


def make_mover_always():
    def move(x):
        return x.to("cuda")  #: GPU202 same

    return move
