"""An engine in one class: the rest of the file is judged as ever."""
import torch


class Engine:
    def __init__(self, path):
        import tensorrt as trt

        self.runtime = trt.Runtime(trt.Logger())
        self.stream = torch.cuda.Stream()  #: GPU202 hint

    def run(self, x):
        return x.cuda()  #: GPU202 hint


def reference(x):
    return x.cuda()  #: GPU202
