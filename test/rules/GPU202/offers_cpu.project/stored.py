"""The file that this imports reads weights on the CPU, which many programs do before they use a GPU."""
from weights import read

net = read("kept.pt").cuda()  #: GPU202
