import torch
from diffusers import DDIMPipeline, StableDiffusionPipeline
from transformers import AutoModel


def paint(prompt):
    pipe = StableDiffusionPipeline.from_pretrained("some/model", torch_dtype=torch.float16)
    pipe = pipe.to("cuda")
    return pipe(prompt)


def at_once(prompt):
    pipe = DDIMPipeline.from_pretrained("some/model", torch_dtype=torch.float16, variant="fp16").to("cuda")
    model = AutoModel.from_pretrained("other/model", dtype=torch.half).cuda().eval()
    return pipe(prompt), model


def in_full(prompt):
    pipe = DDIMPipeline.from_pretrained("some/model").to("cuda")
    return pipe(prompt)
