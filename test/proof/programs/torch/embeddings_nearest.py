# fails: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
# offered: the tensor is used like data, so the finding is a hint
"""Nearest words in a table of embeddings that was saved from the GPU."""
import torch


def nearest(table, index, k=3):
    normed = table / table.norm(dim=1, keepdim=True)
    scores = normed @ normed[index]
    scores[index] = -1
    return scores.topk(k).indices.tolist()


with open("checkpoints/embeddings.pt", "rb") as f:
    table = torch.load(f)

for word in range(3):
    print(word, "->", nearest(table, word))
