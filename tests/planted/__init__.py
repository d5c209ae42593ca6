"""Rule modules with a planted flaw each, which the stress lab must find, and one without any."""
