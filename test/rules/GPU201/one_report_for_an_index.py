"""In one function the first site of an index is the report; another index, and another function, have their own."""
import torch


def score(net, batch):
    images = batch[0].cuda(0)  #: GPU201
    labels = batch[1].cuda(0)  #: GPU201 hint
    spare = batch[2].cuda(1)  #: GPU201
    return net(images, labels), spare.to("cuda:1")  #: GPU201 hint


def other(batch):
    return batch.cuda(0)  #: GPU201


def hint_is_no_report(batch, first="cuda:0"):  #: GPU201 hint
    return batch.to(first), batch.to("cuda:0")  #: GPU201
