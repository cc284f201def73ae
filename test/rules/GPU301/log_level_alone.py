import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
print("CUDA_VISIBLE_DEVICES:", os.environ.get("CUDA_VISIBLE_DEVICES"))

from tensorflow.keras.models import load_model

model = load_model("model.h5")  #: GPU301
