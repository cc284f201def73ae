"""Only calls on the class itself, or on an instance made here, are calls of its methods."""
import torch


class Runner:
    def __init__(self, model):
        self.model = model

    def train(self, batch):
        return batch.cuda()  #: GPU202

    def warm_up(self, batch):
        return batch.cuda()

    def start(self, batch):
        if torch.cuda.is_available():
            self.model.train()
            self.warm_up(batch)
        return self.train(batch)


class Predictor:
    def predict(self, batch):
        return batch.cuda()

    def explain(self, batch):
        return batch.cuda()  #: GPU202 same


def main(batch, other):
    if torch.cuda.is_available():
        predictor = Predictor()
        predictor.predict(batch)
        other.explain(batch)
