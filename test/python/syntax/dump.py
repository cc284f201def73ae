"""Writes CPython's tree of a text as numbers and texts. Runs in CPython in WebAssembly."""

import array
import ast
import struct
import sys
import warnings

sys.set_int_max_str_digits(0)
sys.setrecursionlimit(20_000)
warnings.simplefilter("ignore")

NONE, TEXT, NUMBER, LIST = -1, -2, -3, -4

# These fields do not depend on the text.
LEFT_OUT = {"ctx", "type_comment", "type_ignores"}

CLASSES = [each for each in vars(ast).values() if isinstance(each, type) and issubclass(each, ast.AST)]
NUMBERS = {each: number for number, each in enumerate(CLASSES)}
FIELDS = {each: tuple(field for field in each._fields if field not in LEFT_OUT) for each in CLASSES}
PLACED = {each: "lineno" in each._attributes for each in CLASSES}


def names():
    return [each.__name__ for each in CLASSES]


def portable(text):
    if text.isascii() and "\0" not in text:
        return text
    if any(character == "\0" or character >= "\U00010000" or "\ud800" <= character <= "\udfff" for character in text):
        return "\ufdd0" + text.encode("utf-16-le", "surrogatepass").hex()
    return text


def written(value):
    kind = type(value)
    if kind is str:
        return "s" + portable(value)
    if kind is bytes:
        return "b" + portable(value.decode("latin-1"))
    if kind is int:
        return f"i{value}"
    if kind is float:
        return "f" + struct.pack(">d", value).hex()
    if kind is complex:
        return "c" + struct.pack(">d", value.imag).hex()
    return "Ellipsis" if value is ... else str(value)


def dump(source):
    """Returns the numbers and the joined texts of a tree, or the error in the text."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"{type(error).__name__}: {error}"
    numbers, texts = [], []
    add, say = numbers.append, texts.append

    def write(value):
        kind = type(value)
        number = NUMBERS.get(kind)
        if number is not None:
            add(number)
            if PLACED[kind]:
                numbers.extend((value.lineno, value.col_offset, value.end_lineno, value.end_col_offset))
            if kind is ast.Constant or kind is ast.MatchSingleton:
                add(TEXT)
                say(written(value.value))
                if kind is ast.Constant:
                    write(value.kind)
            else:
                for field in FIELDS[kind]:
                    if kind is ast.Interpolation and field == "str":
                        add(TEXT)
                        say(written(value.str))
                    else:
                        write(getattr(value, field))
        elif kind is list:
            add(LIST)
            add(len(value))
            for one in value:
                write(one)
        elif value is None:
            add(NONE)
        elif kind is str:
            add(TEXT)
            say(portable(value))
        else:
            add(NUMBER)
            add(int(value))

    write(tree.body)
    return array.array("i", numbers), "\0".join(texts)
