# runs: none of these functions belongs to torch
import io
import json
import pickle

import numpy as np

buffer = io.BytesIO()
np.save(buffer, np.arange(3))
buffer.seek(0)
print(np.load(buffer))


def load(path):
    return json.loads('{"path": "%s"}' % path)


class Robot:
    def cuda(self):
        return "a robot called cuda"


print(load("model.pt"), pickle.loads(pickle.dumps([1])), Robot().cuda())
