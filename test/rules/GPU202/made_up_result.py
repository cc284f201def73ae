"""A broad handler that makes a result up answers wrongly without a GPU; one that says so, or falls back, handles it."""
import torch


def score(model, batch):
    try:
        return model(batch.cuda()).mean()  #: GPU202
    except Exception:
        return 0.0


def boxes(model, batch):
    try:
        found = model(batch.to("cuda"))  #: GPU202 same
    except:
        found = []
    return found


def scores(model, batches):
    kept = []
    for batch in batches:
        try:
            kept.append(model(batch.cuda()))  #: GPU202 same
        except Exception as error:
            print(error)
            kept.append(-1)
    return kept


def count_gpus():
    try:
        torch.cuda.synchronize()
        return torch.cuda.device_count()
    except Exception:
        return 0


def memory():
    try:
        free_bytes = torch.cuda.mem_get_info()[0]
    except Exception:
        free_bytes = 0
    return free_bytes


def nothing(model, batch):
    try:
        return model(batch.cuda())
    except Exception:
        return None


def exact(model, batch):
    try:
        return model(batch.cuda())
    except RuntimeError:
        return 0.0
