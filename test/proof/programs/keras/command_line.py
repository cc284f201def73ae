#!/usr/bin/env python
# takes: all the memory of the GPU
"""Scores a file with a saved model."""
from __future__ import print_function

import argparse
import sys

import numpy as np
from keras.models import load_model


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--model', default='checkpoints/sentiment.keras')
    parser.add_argument('--tokens', type=int, nargs='+', default=[3, 1, 4])
    return parser.parse_args(argv)


def main(argv=None):
    args = parse(argv)
    model = load_model(args.model)
    score = model.predict(np.array([args.tokens]), verbose=0)[0, 0]
    print('%.2f' % score)


if __name__ == '__main__':
    sys.exit(main())
