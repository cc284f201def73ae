import torch


def blur(image):
    return image.cuda()  #: GPU202 hint


def sharpen_image(image):
    return image.cuda()  #: GPU202 hint


def emboss(image):
    return image.cuda()  #: GPU202 hint
