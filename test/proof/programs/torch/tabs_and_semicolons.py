# fails: AssertionError: Torch not compiled with CUDA enabled
'''Indented with tabs, several statements a line.'''
import torch, math
import torch.nn as nn

def build(width):
	net = nn.Linear(3, width); net.cuda()
	return net

class Runner(object):
	def __init__(self):
		self.net = build(4); self.steps = 0
	def run(self, x):
		x = x.cuda(); self.steps += 1
		return self.net(x)

runner = Runner()
print(runner.run(torch.rand(2, 3)).shape, math.pi)
