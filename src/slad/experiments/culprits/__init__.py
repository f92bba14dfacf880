"""Do explanations find the column that was tampered with?

python -m slad.experiments.culprits            # run what is not recorded yet
python -m slad.reports.culprits                # the page of what is recorded
"""
