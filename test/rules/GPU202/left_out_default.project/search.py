from embedding import embed, spread

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
if torch.cuda.is_available():
    print(spread([1.0]))
print(embed([1.0]), spread([1.0], device), spread([1.0], device=device))
