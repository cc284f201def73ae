import numpy as np
from tensorflow import keras

x, y = np.random.rand(64, 4), np.random.rand(64, 1)
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, "relu"), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, epochs=2)
model.save("regressor.keras")

restored = keras.models.load_model("regressor.keras")
print(np.abs(restored.predict(x) - model.predict(x)).max())
