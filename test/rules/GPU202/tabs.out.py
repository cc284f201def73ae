import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

def timed(fn):
	fn()
	if torch.cuda.is_available():
		torch.cuda.synchronize()
	if fn:
		if torch.cuda.is_available():
			torch.cuda.set_device(
				fn()
			)
	return fn().to(device)
