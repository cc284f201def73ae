pip install "triton>=3.2" 'numpy<3' > log.txt 2>&1
echo "run pip install triton>=3.2 now"
# pip install triton>=3.2
