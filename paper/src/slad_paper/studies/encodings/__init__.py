"""Which way to turn mixed columns into numbers finds anomalies best.

Real tables with numbers, categories, texts and dates (`sources`), none of them from ADBench. Half
of the rows train; in the other half 5 % of the rows are changed in one way each (`plants`), or the
rows of a rare class come in, whose column is left out. One record a table under results/encodings/;
what is recorded is not run again, and a table whose package is not installed is left out with a
word.

    python -m slad_paper.studies.encodings                 # run what is missing, print the table
    python -m slad_paper.studies.encodings --table         # print the table of what is there
"""
