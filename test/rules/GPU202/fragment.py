# A notebook runs this with its own imports.
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if torch.cuda.is_available():
    rows = rows.cuda()
again = net(torch.rand(64, 2).cuda())  #: GPU202
