"""`python -m bullpen`: the command `bullpen`, for where the script is not on the path."""

import sys

from bullpen.cli import main

if __name__ == "__main__":
    sys.exit(main())
