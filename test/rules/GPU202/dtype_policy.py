"""Names that select a dtype policy are hints: without a GPU they warn and are switched off."""
import torch
from torch.amp import GradScaler, autocast


def step(model, batch, optimizer):
    scaler = torch.amp.GradScaler("cuda")  #: GPU202 hint
    with torch.autocast("cuda", dtype=torch.float16):  #: GPU202 hint
        loss = model(batch).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)


def step_keyword(model, batch):
    scaler = GradScaler(device="cuda")  #: GPU202 hint
    with autocast(device_type="cuda", enabled=True):  #: GPU202 hint
        return scaler, model(batch)


def step_cpu(model, batch):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return model(batch)


def step_available(model, batch):
    with torch.autocast("cuda" if torch.cuda.is_available() else "cpu"):
        return model(batch)


def step_guarded(model, batch):
    if torch.cuda.is_available():
        with torch.autocast("cuda"):
            return model(batch.cuda())
    return model(batch)


@torch.autocast("cuda")  #: GPU202 hint
def forward(model, batch):
    return model(batch)


def not_the_report(model, batch):
    # A hint is not the first site; the tensor that moves is.
    with torch.autocast("cuda"):  #: GPU202 hint
        return model(batch.cuda())  #: GPU202
