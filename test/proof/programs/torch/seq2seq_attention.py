# fails: AssertionError: Torch not compiled with CUDA enabled
"""Translates reversed numbers; the decoder's first token is made in forward."""
import random

import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.embedding = nn.Embedding(words, size)
        self.gru = nn.GRU(size, size)

    def forward(self, source):
        return self.gru(self.embedding(source))


class Decoder(nn.Module):
    def __init__(self, words, size):
        super().__init__()
        self.embedding = nn.Embedding(words, size)
        self.gru = nn.GRU(size, size)
        self.out = nn.Linear(2 * size, words)

    def forward(self, token, hidden, memory):
        output, hidden = self.gru(self.embedding(token), hidden)
        weights = torch.softmax((memory * output).sum(-1), dim=0)
        context = (weights.unsqueeze(-1) * memory).sum(0, keepdim=True)
        return self.out(torch.cat([output, context], -1)), hidden


class Seq2Seq(nn.Module):
    def __init__(self, words=12, size=8):
        super().__init__()
        self.encoder, self.decoder = Encoder(words, size), Decoder(words, size)

    def forward(self, source, target, teacher_forcing=0.5):
        memory, hidden = self.encoder(source)
        token = torch.zeros(1, source.shape[1], dtype=torch.long).cuda()
        outputs = []
        for t in range(len(target)):
            scores, hidden = self.decoder(token, hidden, memory)
            outputs.append(scores)
            token = target[t : t + 1] if random.random() < teacher_forcing else scores.argmax(-1)
        return torch.cat(outputs)


model = Seq2Seq().cuda()
source = torch.randint(12, (5, 3)).cuda()
scores = model(source, source.flip(0))
loss = nn.functional.cross_entropy(scores.reshape(-1, 12), source.flip(0).reshape(-1))
loss.backward()
print("loss", loss.item())
