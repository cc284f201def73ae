#!/usr/bin/env bash
# Each branch, and each environment, has its own torch.
if command -v nvidia-smi; then
  #: GPU608 hint below
  pip install torch==2.1.0 torchvision==0.16.0 --index-url https://download.pytorch.org/whl/cu118
else
  pip install torch==2.0.1 torchvision==0.15.2 --index-url https://download.pytorch.org/whl/cpu
fi
case "$1" in
  audio) pip install torchaudio==2.1.0 ;;
esac
python3 -m venv one
#: GPU608 hint below
one/bin/pip install torch==2.1.0
python3 -m venv other
other/bin/pip install torchvision==0.15.2
cat > requirements.txt <<EOF
torchvision==0.15.2
EOF
VISION=0.16.0
VISION=$(latest)
#: GPU608 hint below
pip install torch==2.1.0 torchvision==$VISION
echo torchvision==0.15.2 # pip install torchvision==0.15.2
