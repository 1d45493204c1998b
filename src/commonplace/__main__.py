"""`python -m commonplace` is the `commonplace` command."""

import sys

from commonplace.cli.start import main

if __name__ == "__main__":
    sys.exit(main())
