# fails: AssertionError: Torch not compiled with CUDA enabled
"""Non-maximum suppression written by hand; anchors live on the GPU."""
import torch


def make_anchors(feature_size, stride=8):
    ys = torch.arange(feature_size).cuda() * stride
    xs = torch.arange(feature_size).cuda() * stride
    grid_y, grid_x = torch.meshgrid(ys, xs, indexing="ij")
    return torch.stack([grid_x, grid_y, grid_x + 16, grid_y + 16], dim=-1).view(-1, 4).float()


def iou(box, boxes):
    top_left = torch.max(box[:2], boxes[:, :2])
    bottom_right = torch.min(box[2:], boxes[:, 2:])
    overlap = (bottom_right - top_left).clamp(min=0).prod(1)
    area = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    return overlap / (area + area[0] - overlap)


def nms(boxes, scores, threshold=0.3):
    order = scores.argsort(descending=True)
    keep = []
    while len(order):
        keep.append(order[0].item())
        order = order[iou(boxes[order[0]], boxes[order]) <= threshold]
    return keep


anchors = make_anchors(4)
print(len(nms(anchors, torch.rand(16).cuda())), "boxes")
