"""What detectors are made of: parts that several share, and long derivations of one."""
