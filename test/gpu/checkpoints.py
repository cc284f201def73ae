"""Writes checkpoints from `cuda:0` into the given folder, as programs on a machine with a GPU do."""

import sys
from pathlib import Path

import torch

FOLDER = Path(sys.argv[1])

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
model(torch.ones(2, 4, device="cuda")).sum().backward()
optimizer.step()

torch.save(model.state_dict(), FOLDER / "state_dict.pt")
torch.save(model.state_dict(), FOLDER / "legacy.pt", _use_new_zipfile_serialization=False)
torch.save(
    {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3, "rng": torch.cuda.get_rng_state()},
    FOLDER / "resume.pt",
)
torch.save({name: value.half() for name, value in model.state_dict().items()}, FOLDER / "half.pt")
torch.jit.script(model).save(str(FOLDER / "script.pt"))
torch.save(model, FOLDER / "whole_model.pt")
