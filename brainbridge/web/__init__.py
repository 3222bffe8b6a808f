"""The page: a brain to look at in a browser on this machine. It reads and never writes. Needs the extra `web`.

Drawn by the server, so it works without JavaScript and asks nobody else for anything (docs/adr/0022). The same
functions make the file of `brainbridge report --html`.
"""
