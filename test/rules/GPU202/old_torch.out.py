import torch

def train(x, y):
    x, y = x.cuda(async=True), y.cuda()
    return x, y

def show():
    print "on", (torch.cuda.current_device() if torch.cuda.is_available() else "cpu"), (torch.cuda.get_device_name(0) if torch.cuda.is_available() else None)
    if torch.cuda.is_available():
        print "memory: %d" % torch.cuda.get_device_properties(0).total_memory
