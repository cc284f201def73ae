# fails: AssertionError: Torch not compiled with CUDA enabled
"""From the time of Variable."""
import torch
from torch.autograd import Variable

from networks import Classifier

model = Classifier().cuda()
optimizer = torch.optim.RMSprop(model.parameters())
criterion = torch.nn.CrossEntropyLoss().cuda()
for i in range(2):
    inputs = Variable(torch.rand(4, 1, 8, 8).cuda())
    labels = Variable(torch.LongTensor([0, 1, 2, 3])).cuda()
    optimizer.zero_grad()
    loss = criterion(model(inputs), labels)
    loss.backward()
    optimizer.step()
    print(loss.data.cpu().numpy())
