"""The fault campaign: killed commands, full disks, torn files, hostile bots and texts."""
