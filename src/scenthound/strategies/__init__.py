"""What is a link worth, and which link next?"""
