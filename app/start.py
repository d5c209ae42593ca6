"""The console script: Ctrl-C ends it without a traceback from the first moment on, while libraries are still loaded."""

import gc
import os
import signal
import sys
import threading
from typing import Any

_AGAIN = 0.05  # seconds until a signal that was lost is sent again: by then the callback is over, or it is lost again
_lost: list[tuple[threading.Timer, int]] = []  # what sends the signals again that were lost, and their numbers


def main() -> None:
    """Run the command line of this process and exit with its code."""
    # Matrices here are small, and what is large is shared out among processes. Threads of one more wait for each other
    # where the cores are busy: a step of a small minimisation takes 2 ms with them, 6 µs without.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.unraisablehook = _lose_no_signal
    _open_what_is_closed()
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # in the background it may be ignored
    if heard:
        signal.signal(signal.SIGINT, _leave)
    try:
        from .cli import run

        gc.freeze()  # to search what is loaded for garbage at the end would take a third as long as to load it
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run()
    except KeyboardInterrupt as error:
        print("error: interrupted", file=sys.stderr, flush=True)
        code = 128 + getattr(error, "number", int(signal.SIGINT))
    except Exception:
        # What was called back when its interrupt was dropped has not done its work, of which its caller complains.
        number = next((number for timer, number in _lost if timer.is_alive()), None)
        if number is None:
            raise
        print("error: interrupted", file=sys.stderr, flush=True)
        code = 128 + number
    sys.exit(code)


def _open_what_is_closed() -> None:
    """Let the streams that whoever started the program has closed be there, and lead nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _leave(*_: object) -> None:
    # While libraries are loaded nothing can be lost but the exception itself: Python drops one that is raised while it
    # collects garbage or calls back.
    os.write(2, b"error: interrupted\n")
    os._exit(130)


def _lose_no_signal(dropped: Any) -> None:
    """What Python does with an exception that it drops; one that the handler of a signal raised is raised again.

    A compiler calls back, and garbage is collected, at any time: whoever pressed Ctrl-C just then would wait in vain.
    """
    if issubclass(dropped.exc_type, KeyboardInterrupt):
        number = getattr(dropped.exc_value, "number", int(signal.SIGINT))
    elif issubclass(dropped.exc_type, SystemExit) and isinstance(dropped.exc_value.code, int):
        number = dropped.exc_value.code - 128  # as `terminal.ending` makes it
    else:
        number = 0
    if number > 0 and number != signal.SIGINT:
        from ..envs.core.interrupts import forget  # loaded already: its handler has raised

        forget(number)
    if number <= 0 or not callable(signal.getsignal(number)):  # without a handler it ends the process, which is at work
        sys.__unraisablehook__(dropped)
        return
    timer = threading.Timer(_AGAIN, signal.pthread_kill, [threading.main_thread().ident, number])
    timer.daemon = True
    timer.start()
    _lost.append((timer, number))


if __name__ == "__main__":
    main()
