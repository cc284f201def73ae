import torch

from net import Net

use_gpu = torch.cuda.is_available()
device = torch.device("cuda" if use_gpu else "cpu")
model = Net()
if use_gpu:
    model = model.cuda()


def predict(image):
    return model(image.to(device))


print(predict(torch.rand(3)), torch.zeros(2).to(device))
