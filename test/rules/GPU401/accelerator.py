"""Whatever accelerator there is."""
import torch

device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
pinned = "cuda" if torch.cuda.is_available() else "cpu"
