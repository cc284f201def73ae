"""Helpers of the notebooks."""
def move(batch):
    return [each.cuda() for each in batch]
