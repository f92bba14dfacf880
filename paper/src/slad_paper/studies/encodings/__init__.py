"""Which way to turn mixed columns into numbers finds anomalies best.

Real tables with numbers, categories, texts and dates (`sources`), none of them from ADBench. Half
of the rows train; in the other half 5 % of the rows are changed in one way each (`plants`), or the
rows of a rare class come in, whose column is left out.
"""
