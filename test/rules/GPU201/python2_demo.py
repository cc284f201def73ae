"""Python 2 sources are read too."""
import torch

gpu = torch.device('cuda:0')  #: GPU201
print 'using', gpu

if torch.cuda.is_available():
    torch.cuda.set_device(0)  #: GPU201 hint
    print torch.cuda.get_device_name(0)

net = torch.nn.Linear(2, 2).to(gpu)
print net(torch.ones(1, 2).cuda(0))  #: GPU201 hint
