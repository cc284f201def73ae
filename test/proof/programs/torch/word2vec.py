# fails: AssertionError: Torch not compiled with CUDA enabled
"""Skip-grams with negative sampling."""
import torch
import torch.nn as nn
import torch.nn.functional as F

text = "the quick brown fox jumps over the lazy dog".split()
vocabulary = sorted(set(text))
ids = [vocabulary.index(word) for word in text]


class SkipGram(nn.Module):
    def __init__(self, words, size=5):
        super().__init__()
        self.center = nn.Embedding(words, size)
        self.context = nn.Embedding(words, size)

    def forward(self, center, context, negative):
        v = self.center(center)
        good = F.logsigmoid((v * self.context(context)).sum(-1))
        bad = F.logsigmoid(-(v * self.context(negative)).sum(-1))
        return -(good + bad).mean()


model = SkipGram(len(vocabulary))
if True:  # was: if args.cuda
    model.cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
center = torch.tensor(ids[:-1]).cuda()
context = torch.tensor(ids[1:]).cuda()
for _ in range(3):
    negative = torch.randint(len(vocabulary), context.shape).cuda()
    loss = model(center, context, negative)
    optimizer.zero_grad(); loss.backward(); optimizer.step()
print(loss.item())
