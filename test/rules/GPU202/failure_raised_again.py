"""Handlers that raise again on the path that a missing GPU takes are none."""
import logging

import torch

log = logging.getLogger(__name__)


def logs_and_raises(model):
    try:
        return model.cuda()  #: GPU202
    except RuntimeError:
        log.exception("could not move the model")
        raise


def raises_another(model):
    try:
        return model.cuda()  #: GPU202 same
    except Exception as error:
        raise ValueError("bad model") from error


def only_out_of_memory(model, batch):
    try:
        return model(batch.cuda())  #: GPU202 same
    except RuntimeError as error:
        if "out of memory" in str(error):
            torch.cuda.empty_cache()
            return None
        raise error


def only_out_of_memory_inverted(model, batch):
    try:
        loss = model(batch.cuda())  #: GPU202 same
    except RuntimeError as error:
        if "out of memory" not in str(error):
            raise
        torch.cuda.empty_cache()
        loss = None
    return loss


def only_out_of_memory_else(model, batch):
    try:
        loss = model(batch.cuda())  #: GPU202 same
    except RuntimeError as error:
        if "out of memory" in str(error):
            loss = None
        else:
            raise error
    return loss


def raised_earlier(model):
    # The first handler that matches decides, not a later one that is broader.
    try:
        return model.to("cuda")  #: GPU202 same
    except (AssertionError, RuntimeError):
        raise
    except Exception:
        return model


def out_of_memory_class(model, batch):
    try:
        return model(batch.cuda())  #: GPU202 same
    except torch.cuda.OutOfMemoryError:
        return None


def counts_then_raises(model, attempts):
    while attempts:
        try:
            return model.cuda()  #: GPU202 same
        except RuntimeError:
            attempts -= 1
            if attempts == 0:
                raise
