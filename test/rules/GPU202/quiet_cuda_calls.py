"""Functions of `torch.cuda` and settings that work without a GPU too."""
import os
import random

import numpy as np
import torch
import torch.backends.cudnn as cudnn
from torch.cuda.amp import GradScaler, autocast


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.cuda.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False
    torch.backends.cuda.matmul.allow_tf32 = True
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"


def memory_report(stage):
    torch.cuda.empty_cache()
    used = torch.cuda.memory_allocated() / 2**20
    peak = torch.cuda.max_memory_allocated() / 2**20
    held = torch.cuda.memory_reserved() / 2**20
    print(f"{stage}: {used:.0f} of {held:.0f} MB, at most {peak:.0f}")


def environment():
    return {
        "available": torch.cuda.is_available(),
        "count": torch.cuda.device_count(),
        "initialised": torch.cuda.is_initialized(),
        "cuda": torch.version.cuda,
        "cudnn": torch.backends.cudnn.version(),
    }


def train_step(model, batch, scaler):
    with torch.cuda.amp.autocast(enabled=True):
        loss = model(batch).mean()
    scaler.scale(loss).backward()


def scalers():
    return GradScaler(), torch.cuda.amp.GradScaler(enabled=False)


@autocast()
def forward(model, batch):
    return model(batch)


def on_its_device(x, fn):
    with torch.cuda.device(x.device):
        return fn(x)


def on_index(index, fn):
    with torch.cuda.device(index):
        return fn()


def profile(fn):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        fn()
    return profiler.key_averages().table(sort_by="cuda_time_total")
