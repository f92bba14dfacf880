"""The laboratory of slad: datasets, experiments with their records, and pages made of records."""
