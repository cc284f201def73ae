from keras.models import load_model
from tensorflow.python.client import device_lib

print(device_lib.list_local_devices())
model = load_model("model.h5")
