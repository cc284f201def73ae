# fails: AssertionError: Torch not compiled with CUDA enabled
# offered: it is written for every GPU of a machine, so the author must decide
"""Trains on every GPU of the machine."""
import torch
import torch.nn as nn

from networks import Classifier

model = nn.DataParallel(Classifier()).cuda()
model.load_state_dict(torch.load("checkpoints/classifier_parallel.pth.tar"))
criterion = nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)

for i in range(3):
    images = torch.rand(16, 1, 8, 8)
    target = torch.randint(5, (16,))
    input_var = images.cuda(non_blocking=True)
    target = target.cuda(non_blocking=True)
    output = model(input_var)
    loss = criterion(output, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", i, "loss", loss.item())
torch.save(model.module.state_dict(), "final.pth")
