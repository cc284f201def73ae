from transformers import LlamaForCausalLM

model = LlamaForCausalLM.from_pretrained("huggyllama/llama-7b", device_map={"": 0})  #: GPU201
draft = LlamaForCausalLM.from_pretrained("huggyllama/llama-68m", device_map={"": "cpu"}, num_hidden_layers=2)
