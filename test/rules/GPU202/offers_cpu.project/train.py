import argparse

from steps import step

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
args = parser.parse_args()
print(step([1.0, 2.0], args.device))
