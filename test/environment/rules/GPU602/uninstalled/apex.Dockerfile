FROM nvcr.io/nvidia/pytorch:25.06-py3
RUN pip uninstall -y apex
RUN pip install torch==2.8.0 --index-url https://download.pytorch.org/whl/cu129  #: GPU602
