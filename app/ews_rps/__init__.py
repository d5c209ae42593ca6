"""Rock-paper-scissors on the screen: large symbols, the streak, what was shown so far."""
