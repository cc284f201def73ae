"""What trains in the other branch of an `if` has not run before."""
import sys

from tensorflow import keras


def train(path):
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(loss="mse")
    model.fit([[1.0]], [1.0])
    model.save(path)


if sys.argv[1] == "train":
    train(sys.argv[2])
    restored = keras.models.load_model(sys.argv[2])
elif sys.argv[1] == "show":
    keras.models.load_model(sys.argv[2]).summary()  #: GPU301
else:
    again = keras.models.load_model(sys.argv[2])  #: GPU301 hint
