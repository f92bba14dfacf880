"""What every other package may use: errors, seeded random streams, devices, shape types."""
