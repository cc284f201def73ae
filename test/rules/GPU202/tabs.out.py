import torch

def timed(fn):
	fn()
	if torch.cuda.is_available():
		torch.cuda.synchronize()
	if fn:
		if torch.cuda.is_available():
			torch.cuda.set_device(
				fn()
			)
	device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
	return fn().to(device)
