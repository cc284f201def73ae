"""Only one of two ways imports Keras before."""
import os
import sys

if len(sys.argv) > 1:
    import keras

os.environ["KERAS_BACKEND"] = "jax"


def later():
    import keras

    return keras


def first():
    os.environ["KERAS_BACKEND"] = "torch"
