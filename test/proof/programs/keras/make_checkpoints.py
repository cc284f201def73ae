"""Writes the Keras models that the programs load into `checkpoints/`; a Keras file names no device."""

from pathlib import Path

import keras
from keras import layers

FOLDER = Path(__file__).parent / "checkpoints"


def compiled(model):
    model.compile(optimizer="adam", loss=keras.losses.MeanSquaredError())
    model.optimizer.build(model.trainable_variables)
    return model


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    regressor = compiled(keras.Sequential([keras.Input((4,)), layers.Dense(6, activation="relu"), layers.Dense(1)]))
    regressor.save(FOLDER / "regressor.keras")
    regressor.save(FOLDER / "regressor.h5")
    images = keras.Input((8, 8, 1))
    features = layers.GlobalAveragePooling2D()(layers.Conv2D(3, 3, activation="relu")(images))
    compiled(keras.Model(images, layers.Dense(5, activation="softmax")(features))).save(FOLDER / "classifier.keras")
    tokens = keras.Input((None,))
    sequence = layers.LSTM(4)(layers.Embedding(20, 4)(tokens))
    compiled(keras.Model(tokens, layers.Dense(1, activation="sigmoid")(sequence))).save(FOLDER / "sentiment.keras")
