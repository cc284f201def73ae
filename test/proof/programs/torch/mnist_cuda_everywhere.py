# fails: AssertionError: Torch not compiled with CUDA enabled
"""The tutorial's training loop, with .cuda() on everything."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 4, 3)
        self.fc1 = nn.Linear(4 * 3 * 3, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        return F.log_softmax(self.fc1(x.view(-1, 36)), dim=1)


train_loader = DataLoader(TensorDataset(torch.rand(32, 1, 8, 8), torch.randint(10, (32,))), batch_size=16)

model = Net()
model.cuda()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.5)


def train(epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(train_loader):
        data, target = data.cuda(), target.cuda()
        optimizer.zero_grad()
        loss = F.nll_loss(model(data), target)
        loss.backward()
        optimizer.step()
        print('Train Epoch: {} [{}]\tLoss: {:.6f}'.format(epoch, batch_idx, loss.item()))


def test():
    model.eval()
    correct = 0
    for data, target in train_loader:
        data, target = data.cuda(), target.cuda()
        with torch.no_grad():
            correct += model(data).max(1)[1].eq(target).sum().item()
    print('Accuracy: {}/{}'.format(correct, len(train_loader.dataset)))


for epoch in range(1, 3):
    train(epoch)
    test()
