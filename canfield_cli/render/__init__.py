"""What people see of a game: pictures and sentences.

look.py says how it is to look, board.py draws the board, plain.py tells it in sentences, facts.py
holds the words that both use. Nothing here prints, decides or changes anything.
"""
