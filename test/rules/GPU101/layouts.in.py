import os

import torch


def layouts(folder, path, load_options):
    a = torch.load(
        path, weights_only=True
    )
    b = torch.load(
        path, weights_only=True,
    )
    c = torch.load(
        path,
        weights_only=True  # the file is ours
    )
    d = torch.load(
        path,
        # nothing but tensors
        weights_only=True,
        # mmap=True,
    )
    e = torch.load(path,
                   weights_only=True)
    f = torch.load(path,  # written by train.py
                   )
    g = torch.load((path))
    h = torch.load(
        os.path.join(
            folder,
            "net.pt",
        ),
    )
    i = torch.load(f"{folder}/net.pt")
    j = torch.load(
        path,
        map_location=None,
    )
    k = torch.load(path, map_location=(None))
    l = torch.load(path, None, weights_only=True)
    m = torch . load (path)
    n = torch.load(path); o = torch.load(path)
    p = torch.load(
        path
        , weights_only=True
    )
    q = [torch.load(each) for each in path if torch.load(each)]
    r = lambda each: torch.load(each)
    s = f"{torch.load(path)['epoch']} of {torch.load('last.pt')}"
    t = torch.load(open(path, 'rb'))
    u = torch.load(path, **load_options), torch.load(*path)
    return a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u
