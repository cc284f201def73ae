from transformers import LlamaForCausalLM

gpu = 0  #: GPU201
model = LlamaForCausalLM.from_pretrained(
    "huggyllama/llama-7b",
    device_map={
        "lm_head": "cpu",
        "": gpu,
    },
)
