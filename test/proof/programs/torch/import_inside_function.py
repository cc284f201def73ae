# fails: AssertionError: Torch not compiled with CUDA enabled
"""PyTorch is imported where it is needed, because it is slow."""


def embed(rows):
    import torch

    table = torch.eye(4).cuda()
    return table[torch.tensor(rows).cuda()].cpu().tolist()


def main():
    print(embed([0, 2]))


main()
