import os

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")

from keras.models import load_model

model = load_model("model.h5")
