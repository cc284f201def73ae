import numpy as np
import torch

from storage import Writer


def prepare(folder, split):
    graph = torch.from_numpy(np.load(f"{folder}/graph.npy"))
    torch.save(graph, f"{folder}/graph_{split}.pt")


def export(net):
    writer = Writer()
    writer.write("exported.pth", net)


def train(net, optimizer):
    net.cuda()
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict()}, "resume.ckpt")
    torch.save(net.state_dict(), "final.pth")
