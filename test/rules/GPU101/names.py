"""One loader under many names, and other loaders under the same name."""
import json
import pickle

import joblib
import numpy as np
import torch
import torch as th
import torch.serialization
import yaml
from torch import load
from torch import load as tload

torch_load = torch.load


def every_spelling(path):
    a = torch.load(path)  #: GPU101
    b = th.load(path)  #: GPU101
    c = load(path)  #: GPU101
    d = tload(path)  #: GPU101
    e = torch_load(path)  #: GPU101
    f = torch.serialization.load(path)  #: GPU101
    return a, b, c, d, e, f


def imported_here(path):
    from torch import load as read_checkpoint

    import torch as pt

    weights = read_checkpoint(path)  #: GPU101
    optimizer = pt.load(path)  #: GPU101
    return weights, optimizer


def other_libraries(path, stream):
    return np.load(path), pickle.load(stream), json.load(stream), yaml.load(stream, yaml.SafeLoader), joblib.load(path)


def bound_again(path):
    load = np.load
    features = load(path)
    load = torch.load
    weights = load(path)  #: GPU101
    return features, weights


def given_as_argument(path, load, torch):
    return load(path), torch.load(path)


class Loader:
    def load(self, path):
        with open(path, "rb") as stream:
            return pickle.load(stream)

    def load_twice(self, path):
        return self.load(path), self.load(path)


def only_named(path, reader=torch.load):
    # Passing the function on calls nothing.
    return {"pt": torch.load, "npy": np.load}[path.suffix]
