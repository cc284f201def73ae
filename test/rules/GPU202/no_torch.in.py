#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Runs a model from a library of our own."""
from __future__ import annotations

import sys
from networks import build

model = build("resnet").cuda()
for batch in sys.stdin:
    model(batch.cuda())
