#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Runs a model from a library of our own."""
from __future__ import annotations

import sys
from networks import build
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = build("resnet").to(device)
for batch in sys.stdin:
    model(batch.to(device))
