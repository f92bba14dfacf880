"""Parts that several detectors share, and long inner parts of one."""
