import os

import torch

import storage


def lesson(net, make):
    storage.store(value=net, name="lesson_3.pth")
    again = make()
    again.load_state_dict(torch.load("out/lesson_3.pth"))  #: GPU101 hint
    again.load_state_dict(torch.load("out/lesson_4.pth"))  #: GPU101
    return again


def before(net):
    net.load_state_dict(torch.load("out/lesson_5.pth"))  #: GPU101
    storage.store(net, "lesson_5.pth")


def graphs(root, net):
    graph = torch.load(os.path.join(root, "graph_train.pt"))  #: GPU101 hint
    net.load_state_dict(torch.load("exported.pth"))  #: GPU101 hint
    return net(graph)


def resume(net, optimizer):
    state = torch.load("resume.ckpt")  #: GPU101
    net.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optimizer"])
    net.load_state_dict(torch.load("final.pth"))  #: GPU101
    net.load_state_dict(torch.load("elsewhere/unknown.pth"))  #: GPU101
