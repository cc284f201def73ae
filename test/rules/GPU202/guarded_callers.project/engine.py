import torch


class Engine:
    def __init__(self):
        self.stream = torch.cuda.Stream()  #: GPU202 hint

    def run(self, steps):
        for _ in range(steps):
            self.step()

    def step(self):
        return torch.zeros(3).cuda()  #: GPU202 hint


def warm_up(engine):
    torch.cuda.synchronize()  #: GPU202 hint
    return engine


def unused():
    torch.cuda.synchronize()  #: GPU202 hint
