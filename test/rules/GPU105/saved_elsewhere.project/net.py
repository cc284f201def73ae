from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = Net()
