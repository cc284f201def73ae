import torch

def train(x, y):
    x, y = x.cuda(async=True), y.cuda()
    return x, y

def show():
    print "on", torch.cuda.current_device(), torch.cuda.get_device_name(0)
    print "memory: %d" % torch.cuda.get_device_properties(0).total_memory
