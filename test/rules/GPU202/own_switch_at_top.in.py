import torch

from net import Net

use_gpu = torch.cuda.is_available()
model = Net()
if use_gpu:
    model = model.cuda()


def predict(image):
    return model(image.cuda())


print(predict(torch.rand(3)), torch.zeros(2).cuda())
