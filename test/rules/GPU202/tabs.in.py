import torch

def timed(fn):
	fn()
	torch.cuda.synchronize()
	if fn:
		torch.cuda.set_device(
			fn()
		)
	return fn().cuda()
