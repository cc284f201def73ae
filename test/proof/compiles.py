"""Finds the programs that CPython does not compile: reads `[{"name": ..., "cells": [...]}]`, prints the failures as JSON."""

import json
import sys
import warnings

from runner import without_magics

warnings.simplefilter("ignore")
failures = []
for program in json.load(sys.stdin):
    for number, cell in enumerate(program["cells"], 1):
        try:
            compile(without_magics(cell) if program["notebook"] else cell, f"cell {number}", "exec")
        except (SyntaxError, ValueError) as error:
            failures.append({"name": program["name"], "error": str(error), "cell": cell})
json.dump(failures, sys.stdout)
