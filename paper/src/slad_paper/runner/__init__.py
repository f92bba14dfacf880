"""What every experiment runs on: plans, worker processes, records, metrics, peers."""
