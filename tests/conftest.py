"""What holds for every test, however the tests are started."""

import atexit
import os
import shutil
import signal
import tempfile

# A shell that starts a command in the background (`nohup make test &`) has it ignore Ctrl-C, and whatever a test starts
# would inherit that: tests of interruption need the usual way.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Games that tests play are kept where nobody's own games are.
if "PROBESPIEL_DATA" not in os.environ:
    os.environ["PROBESPIEL_DATA"] = tempfile.mkdtemp(prefix="probespiel-tests-")
    atexit.register(shutil.rmtree, os.environ["PROBESPIEL_DATA"], ignore_errors=True)
