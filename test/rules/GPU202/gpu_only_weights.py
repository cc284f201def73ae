"""Weights in four bits only load on a GPU: the whole program needs one."""
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

name = "some/model"
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModelForCausalLM.from_pretrained(name, load_in_4bit=True)


def answer(prompt):
    batch = tokenizer(prompt, return_tensors="pt").to("cuda")  #: GPU202 hint
    torch.cuda.synchronize()  #: GPU202 hint
    return model.generate(**batch)
