import argparse


def main():
    parser = argparse.ArgumentParser(description="Print a model. It is read with keras.models.load_model(path).")
    parser.add_argument("path", help="a file for load_model()")
    args = parser.parse_args()
    from tensorflow import keras

    model = keras.models.load_model(args.path)  #: GPU301
    # model = keras.models.load_model("other.keras")
    print("load_model('other.keras') would read another one", model.name)


if __name__ == "__main__":
    main()
