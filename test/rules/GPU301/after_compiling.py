"""Building and compiling a model is not yet using it."""
import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
print(model.summary())
pretrained = keras.models.load_model("pretrained.keras")  #: GPU301
model.layers[0].set_weights(pretrained.layers[0].get_weights())
