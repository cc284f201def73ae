import os

import torch


def layouts(folder, path, load_options):
    a = torch.load(
        path, weights_only=True, map_location="cpu"
    )
    b = torch.load(
        path, weights_only=True, map_location="cpu",
    )
    c = torch.load(
        path,
        weights_only=True,  # the file is ours
        map_location="cpu"
    )
    d = torch.load(
        path,
        # nothing but tensors
        weights_only=True,
        map_location="cpu",
        # mmap=True,
    )
    e = torch.load(path,
                   weights_only=True, map_location="cpu")
    f = torch.load(path, map_location="cpu",  # written by train.py
                   )
    g = torch.load((path), map_location="cpu")
    h = torch.load(
        os.path.join(
            folder,
            "net.pt",
        ),
        map_location="cpu",
    )
    i = torch.load(f"{folder}/net.pt", map_location="cpu")
    j = torch.load(
        path,
        map_location="cpu",
    )
    k = torch.load(path, map_location=("cpu"))
    l = torch.load(path, "cpu", weights_only=True)
    m = torch . load (path, map_location="cpu")
    n = torch.load(path, map_location="cpu"); o = torch.load(path, map_location="cpu")
    p = torch.load(
        path
        , weights_only=True, map_location="cpu"
    )
    q = [torch.load(each, map_location="cpu") for each in path if torch.load(each, map_location="cpu")]
    r = lambda each: torch.load(each, map_location="cpu")
    s = f"{torch.load(path, map_location='cpu')['epoch']} of {torch.load('last.pt', map_location='cpu')}"
    t = torch.load(open(path, 'rb'), map_location='cpu')
    u = torch.load(path, **load_options), torch.load(*path)
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u
