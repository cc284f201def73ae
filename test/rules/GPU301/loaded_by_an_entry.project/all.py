from alone import show
from features import extract

extract("dog.png")
show()
