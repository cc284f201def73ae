#: facts {"visibleGpus": {"count": 1, "names": "RTX 3090"}}
import lightning as L

picked = L.Trainer(accelerator="gpu", devices=[1])  #: GPU201, GPU204
tpu = L.Trainer(accelerator="tpu", devices=[5])  #: GPU201
unknown = L.Trainer(accelerator=pick(), devices=[5])  #: GPU201 hint
counted = L.Trainer(accelerator="gpu", devices=4)
