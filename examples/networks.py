"""The networks that the other files of this folder train, load and evaluate."""

from torch import nn


class DigitNet(nn.Module):
    """Classifies 28 by 28 grey images into ten digits."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, kernel_size=5, stride=2), nn.ReLU(), nn.Conv2d(8, 16, kernel_size=5, stride=2), nn.ReLU()
        )
        self.classifier = nn.Linear(16 * 4 * 4, 10)

    def forward(self, images):
        return self.classifier(self.features(images).flatten(start_dim=1))


class Encoder(nn.Module):
    """Maps 40 filter-bank values of a sound to a point on the unit sphere."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, frames):
        return nn.functional.normalize(self.layers(frames), dim=-1)


class NameModel(nn.Module):
    """Predicts the next letter of a name; 0 is the start and the end, 1 to 26 are a to z."""

    def __init__(self):
        super().__init__()
        self.letters = nn.Embedding(27, 16)
        self.memory = nn.GRU(16, 32, batch_first=True)
        self.next_letter = nn.Linear(32, 27)

    def forward(self, letters, state=None):
        output, state = self.memory(self.letters(letters), state)
        return self.next_letter(output), state
