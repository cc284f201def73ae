from transformers import AutoModel

model = AutoModel.from_pretrained("a", device_map={"": 0})
print(model)
