"""Names are those of Python's scopes: globals, enclosing functions, classes and comprehensions."""
import torch

ready = False
verbose = torch.cuda.is_available()


def setup():
    global ready
    ready = torch.cuda.is_available()


def step(x):
    # Whatever made it true found a GPU.
    if ready:
        x = x.cuda()
    return x


def local_of_the_same_name(x):
    verbose = len(x) > 1
    if verbose:
        x = x.cuda()  #: GPU202
    return x


def global_of_that_name(x):
    if verbose:
        x = x.cuda()
    return x


def enclosing():
    available = torch.cuda.is_available()

    def move(x):
        return x.cuda() if available else x

    return move


def enclosing_changed():
    available = torch.cuda.is_available()

    def force():
        nonlocal available
        available = True

    def move(x):
        return x.cuda() if available else x  #: GPU202 same

    return force, move


def comprehension_variable(xs, flags):
    available = torch.cuda.is_available()
    moved = [x.cuda() if available else x for x in xs]
    wrong = [x.cuda() if available else x for x, available in zip(xs, flags)]  #: GPU202 same
    return moved, wrong


def lambda_parameter():
    return lambda x, verbose: x.cuda() if verbose else x  #: GPU202 same


class Mover:
    available = torch.cuda.is_available()

    def by_class_attribute(self, x):
        if self.available:
            x = x.cuda()
        return x

    def by_class(self, x):
        if Mover.available:
            x = x.cuda()
        return x

    def no_such_name(self, x, available=None):
        # A method does not see the names of its class.
        if available:
            x = x.cuda()  #: GPU202 same
        return x
