"""In a `try` whose handler catches what a missing GPU raises, and goes on."""
import contextlib
import logging

import torch

log = logging.getLogger(__name__)


def fall_back(model):
    try:
        return model.cuda()
    except RuntimeError:
        return model


def not_compiled(model):
    try:
        model.to("cuda")
    except AssertionError:
        log.warning("torch was built without CUDA")
    return model


def anything(model):
    try:
        torch.cuda.synchronize()
    except Exception as error:
        log.debug("no GPU: %s", error)


def bare():
    try:
        name = torch.cuda.get_device_name()
    except:
        name = "CPU"
    return name


def base():
    try:
        return torch.cuda.get_device_properties(0).total_memory
    except BaseException:
        return 0


def listed(model):
    try:
        model = model.cuda()
    except (AssertionError, RuntimeError) as error:
        print("staying on the CPU:", error)
    return model


def outside(model):
    try:
        model.cuda()
    except RuntimeError:
        torch.cuda.current_device()  #: GPU202
    return model


def in_else(model, loader):
    try:
        batch = next(loader)
    except Exception:
        return None
    else:
        return model(batch.cuda())  #: GPU202 same


def in_finally(model, batch):
    try:
        return model(batch)
    except RuntimeError:
        return None
    finally:
        torch.cuda.synchronize()  #: GPU202 same


def other_error(model):
    try:
        return model.cuda()  #: GPU202 same
    except (ImportError, OSError):
        return model


def interrupted(model, loader):
    try:
        for batch in loader:
            model(batch.cuda())  #: GPU202 same
    except KeyboardInterrupt:
        print("Exiting from training early")


def not_caught(model):
    try:
        return model.cuda()  #: GPU202 same
    finally:
        print("done")


def several_handlers(model):
    try:
        return model.cuda()
    except KeyboardInterrupt:
        raise
    except Exception:
        return model


def suppressed():
    with contextlib.suppress(RuntimeError, AssertionError):
        torch.cuda.synchronize()


def suppressed_other():
    with contextlib.suppress(FileNotFoundError):
        torch.cuda.synchronize()  #: GPU202 same


def outer_goes_on(model):
    try:
        try:
            return model.cuda()
        except ValueError:
            return None
    except Exception:
        return model
