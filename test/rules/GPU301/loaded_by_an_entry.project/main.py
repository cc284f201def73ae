"""One entry calls both."""
from features import extract
from labels import name_of

vector = extract("cat.png")
print(name_of(vector))
