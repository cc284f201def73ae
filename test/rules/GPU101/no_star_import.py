"""Nothing here says what `torch` is."""
from torch_core import defaults

state = torch.load(defaults.path)
