import os

import jax
import jax.numpy as jnp

print(jax.devices())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  #: GPU203


def before():
    print(jax.__version__)
