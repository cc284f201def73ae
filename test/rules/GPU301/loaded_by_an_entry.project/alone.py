"""Runs by itself as well."""
from keras.models import load_model


def show():
    print(load_model("alone.keras").name)  #: GPU301


if __name__ == "__main__":
    show()
