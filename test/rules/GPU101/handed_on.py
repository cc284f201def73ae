"""Everything that the project's core module imported comes along with its star import."""
from .torch_core import *


def restore(learner, path):
    state = torch.load(path)  #: GPU101
    learner.model.load_state_dict(state["model"])
    return torch.load(path, map_location=defaults.device)


def purge(learner, loader):
    # Only the frameworks themselves are taken for granted.
    return loader.load(learner.path), load(learner.path)
