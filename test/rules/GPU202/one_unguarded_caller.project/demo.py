import model

print(model.build())
STEPS = {"move": model.move}
