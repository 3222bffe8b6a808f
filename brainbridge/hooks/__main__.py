"""`python -m brainbridge.hooks`: the hook where its script is not installed."""

import sys

from brainbridge.hooks.main import main

if __name__ == "__main__":
    sys.exit(main())
