"""A string that pins one index, in each place where a device is used."""
import torch
import torch.nn as nn
from transformers import AutoModel, pipeline

import whisper

device = "cuda:0"  #: GPU201
model = nn.Linear(4, 2).to(device)
second = nn.Linear(4, 2).to("cuda:1")  #: GPU201


def move(x):
    x = x.to("cuda:0")  #: GPU201
    x = x.to("cuda:0", non_blocking=True)  #: GPU201 hint
    x = x.to(device="cuda:2", dtype=torch.float16)  #: GPU201
    return x.to("cpu"), x.to(device)


def factories(shape):
    a = torch.zeros(shape, device="cuda:0")  #: GPU201
    b = torch.randn(*shape, device="cuda:1", dtype=torch.float32)  #: GPU201
    c = torch.ones(shape, device="cpu")
    d = torch.Generator("cuda:0").manual_seed(1)  #: GPU201 hint
    e = torch.Generator(device="cuda:0")  #: GPU201 hint
    return a, b, c, d, e


def split(x):
    # The same GPU each time, one report for each literal.
    left, right = x[:2].to("cuda:0"), x[2:].to("cuda:1")  #: GPU201, GPU201
    return left.to("cuda:0") + right.to("cuda:0")  #: GPU201 hint, GPU201 hint


def third_parties(texts):
    speech = whisper.load_model("base", device="cuda:0")  #: GPU201
    classify = pipeline("sentiment-analysis", device="cuda:1")  #: GPU201
    by_index = pipeline("sentiment-analysis", device=0)  #: GPU201 hint
    on_cpu = pipeline("sentiment-analysis", device=-1)
    bert = AutoModel.from_pretrained("bert-base-uncased").to("cuda:0")  #: GPU201 hint
    return speech, classify(texts), by_index, on_cpu, bert


def own_parameters(run):
    run(master_device="cuda:0")  #: GPU201
    run(eval_device="cuda:1")  #: GPU201
    run(devices=["cuda:0", "cuda:1"])  #: GPU201 hint, GPU201 hint
    run(label="cuda:0", name="cuda:1")


def default_device():
    torch.set_default_device("cuda:0")  #: GPU201


def spread(run):
    return run(
        model,
        device="cuda:0",  #: GPU201
        steps=10,
    )


def plain_fstring(x):
    return x.to(f"cuda:0")  #: GPU201
