"""A config of the project's own has nothing to do with TensorFlow's."""
from tensorflow import keras

from project import config

print(config.list_physical_devices("GPU"))
model = keras.models.load_model(config.path)  #: GPU301
