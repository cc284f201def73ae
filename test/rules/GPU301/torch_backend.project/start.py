import os

os.environ["KERAS_BACKEND"] = "torch"

from score import score

print(score("net.keras"))
