"""Derived values kept in attributes, dictionary items and class members."""
import argparse

import torch
import torch.nn as nn

args = argparse.Namespace(seed=1, accel=None, fast=False)
args.accel = torch.cuda.is_available()
config = {"epochs": 3, "accelerate": torch.cuda.is_available(), "resume": True}
config["pinned"] = torch.cuda.is_available()
config["verbose"] = True

if args.accel:
    torch.cuda.reset_peak_memory_stats()
if config["accelerate"]:
    torch.cuda.synchronize()
if config["pinned"]:
    torch.cuda.synchronize()
if args.fast:
    torch.cuda.synchronize()  #: GPU202


class Trainer:
    def __init__(self, model, resume=False):
        self.accelerated = torch.cuda.is_available()
        self.resume = resume
        self.model = model.cuda() if self.accelerated else model

    def step(self, batch):
        if self.accelerated:
            batch = batch.cuda()
        return self.model(batch)

    def restore(self, batch):
        if self.resume:
            batch = batch.cuda()  #: GPU202 same
        return self.model(batch)

    def verbose(self, batch):
        if config["verbose"]:
            batch = batch.cuda()  #: GPU202 same
        return batch


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.target = "cuda" if torch.cuda.is_available() else "cpu"
        self.rnn = nn.GRU(16, 16)

    def init_hidden(self, batch):
        hidden = torch.zeros(1, batch, 16)
        if self.target == "cuda":
            hidden = hidden.cuda()
        return hidden


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(16, 16)

    def init_hidden(self, batch):
        return torch.zeros(1, batch, 16).cuda()  #: GPU202 same
