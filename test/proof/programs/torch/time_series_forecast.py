# fails: AssertionError: Torch not compiled with CUDA enabled
"""Forecasts a sine wave; the device is an attribute that is always CUDA."""
import torch
import torch.nn as nn


class Forecaster:
    def __init__(self, window=8):
        self.device = torch.device("cuda")
        self.window = window
        self.model = nn.GRU(1, 8, batch_first=True).to(self.device)
        self.head = nn.Linear(8, 1).to(self.device)

    def fit(self, series, epochs=3):
        x = series.unfold(0, self.window, 1)[:-1].unsqueeze(-1).to(self.device)
        y = series[self.window:].unsqueeze(-1).to(self.device)
        parameters = [*self.model.parameters(), *self.head.parameters()]
        optimizer = torch.optim.Adam(parameters, lr=0.01)
        for _ in range(epochs):
            _, last = self.model(x)
            loss = nn.functional.mse_loss(self.head(last[0]), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return loss.item()


print(Forecaster().fit(torch.sin(torch.arange(0, 10, 0.2))))
