from transformers import AutoModel
import torch

model = AutoModel.from_pretrained(
    "a", device_map={"": 0 if torch.cuda.is_available() else "cpu"}
)
print(model)
