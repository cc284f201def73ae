# runs: the function belongs to the program
import pickle

import numpy as np


def load_model(path):
    return pickle.loads(pickle.dumps({"path": path, "weights": np.ones(3)}))


print(load_model("model.pkl")["weights"].sum())
