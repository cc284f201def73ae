"""A folder with an index of shards is what `from_pretrained` reads."""
from transformers import AutoModel, AutoModelForCausalLM

a = AutoModel.from_pretrained("others")
b = AutoModelForCausalLM.from_pretrained("./others", local_files_only=True)
c = AutoModel.from_pretrained("some-org/some-model")
