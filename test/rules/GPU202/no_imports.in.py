# Helpers of the notebooks.

def move(batch):
    return {key: value.cuda() for key, value in batch.items()}
