"""The networks whose checkpoints the programs beside this file load."""

import torch
from torch import nn


class Classifier(nn.Module):
    """Sorts 8 by 8 images into five classes."""

    def __init__(self, classes=5):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.AdaptiveAvgPool2d(2))
        self.head = nn.Linear(16, classes)

    def forward(self, images):
        return self.head(self.features(images).flatten(1))


class Generator(nn.Module):
    def __init__(self, noise=8):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(noise, 16), nn.ReLU(), nn.Linear(16, 4), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, x):
        return self.main(x)


class LanguageModel(nn.Module):
    def __init__(self, words=30, size=12):
        super().__init__()
        self.embedding = nn.Embedding(words, size)
        self.rnn = nn.LSTM(size, size, batch_first=True)
        self.decoder = nn.Linear(size, words)

    def forward(self, tokens, hidden=None):
        output, hidden = self.rnn(self.embedding(tokens), hidden)
        return self.decoder(output), hidden


class Autoencoder(nn.Module):
    def __init__(self, inputs=6, code=2):
        super().__init__()
        self.encoder = nn.Linear(inputs, code)
        self.decoder = nn.Linear(code, inputs)

    def forward(self, x):
        return self.decoder(torch.relu(self.encoder(x)))


class QNetwork(nn.Module):
    def __init__(self, observations=4, actions=2):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(observations, 16), nn.ReLU(), nn.Linear(16, actions))

    def forward(self, state):
        return self.layers(state)
