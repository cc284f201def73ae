import numpy as np
import keras

first = keras.models.load_model("first.keras")  #: GPU301
before = keras.models.load_model("before.keras")  #: GPU301 hint
print(first.predict(np.ones((1, 4))))
second = keras.models.load_model("second.keras")
