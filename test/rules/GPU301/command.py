import argparse

from tensorflow import keras


class Evaluator:
    def __init__(self, path):
        self.model = keras.models.load_model(path)  #: GPU301

    def compare(self, path):
        return keras.models.load_model(path).name == self.model.name  #: GPU301 hint


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    print(Evaluator(parser.parse_args().path).model.summary())
