"""A message about a missing import does not make a program of a module."""
try:
    from keras.models import load_model
except ImportError:
    print("keras is not installed")


def restore(path):
    return load_model(path)  #: GPU301
