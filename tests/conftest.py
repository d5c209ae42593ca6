"""What holds for every test, however the tests are started."""

import signal

# A shell that starts a command in the background (`nohup make test &`) has it ignore Ctrl-C, and whatever a test starts
# would inherit that: tests of interruption need the usual way.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
