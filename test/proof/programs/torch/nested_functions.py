# fails: AssertionError: Torch not compiled with CUDA enabled
"""Functions in functions."""
import torch


def make_trainer(size):
    weight = torch.zeros(size, requires_grad=True)

    def loss_of(x, y):
        def predict(rows):
            return rows.cuda() @ weight.cuda()

        return (predict(x) - y.cuda()).pow(2).mean()

    def train(x, y, steps=3):
        for _ in range(steps):
            (gradient,) = torch.autograd.grad(loss_of(x, y), weight)
            weight.data -= 0.1 * gradient
        return loss_of(x, y).item()

    return train


print(make_trainer(2)(torch.rand(5, 2), torch.rand(5)))
