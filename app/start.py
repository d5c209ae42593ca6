"""The console script: Ctrl-C ends it without a traceback from the first moment on, while libraries are still loaded."""

import sys


def main() -> None:
    """Run the command line of this process and exit with its code."""
    try:
        from .cli import run

        code = run()
    except KeyboardInterrupt:
        print("error: interrupted", file=sys.stderr, flush=True)
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
