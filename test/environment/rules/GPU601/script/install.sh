#!/usr/bin/env bash
set -euo pipefail
VISION=0.15.2
conda create --yes --name train python=3.10
conda activate train
#: GPU601, GPU608 hint below
pip install torch==2.1.0 torchvision==$VISION
if [[ "${1:-}" == old ]]; then
  #: GPU601, GPU608 hint below
  pip install torch==2.0.1 torchaudio==2.1.0
fi
