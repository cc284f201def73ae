# fails: AssertionError: Torch not compiled with CUDA enabled
"""A recurrent network that makes its own hidden state."""
import torch
import torch.nn as nn


class CharRNN(nn.Module):
    def __init__(self, tokens=20, hidden=16, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.encoder = nn.Embedding(tokens, hidden)
        self.lstm = nn.LSTM(hidden, hidden, layers)
        self.decoder = nn.Linear(hidden, tokens)

    def init_hidden(self, batch):
        return (torch.zeros(self.layers, batch, self.hidden).cuda(),
                torch.zeros(self.layers, batch, self.hidden).cuda())

    def forward(self, text, state):
        output, state = self.lstm(self.encoder(text), state)
        return self.decoder(output), state


def main():
    model = CharRNN().cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for step in range(3):
        state = model.init_hidden(4)
        text = torch.randint(20, (6, 4)).cuda()
        scores, state = model(text[:-1], state)
        loss = nn.functional.cross_entropy(scores.reshape(-1, 20), text[1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        print(step, "%.3f" % loss.item())


if __name__ == "__main__":
    main()
