"""A logger and a conditional import make no program."""
from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import keras

if TYPE_CHECKING:
    from pathlib import Path

logger = logging.getLogger(__name__)


def restore(path: Path) -> keras.Model:
    logger.info("Restoring %s", path)
    return keras.saving.load_model(path)  #: GPU301
