"""Do explanations find the column that was tampered with?

python -m slad_paper.studies.culprits            # run what is not recorded yet
python -m slad_paper.pages.culprits                # the page of what is recorded
"""
