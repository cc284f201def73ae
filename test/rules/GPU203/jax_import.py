import os

import jax

jax.config.update("jax_enable_x64", True)
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
print(jax.devices())
