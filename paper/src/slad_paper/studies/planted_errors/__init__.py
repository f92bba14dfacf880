"""Whether detectors find data errors in real tables of mixed columns.

Rows are drawn of tables that packages bundle (`sources`), and ten errors of each kind that the
columns allow are planted, each in a row of its own (`plants`). Every table is then judged as
`slad detect FILE` does it. What is found must be a planted row: rows of the table that are odd by
themselves are noise, the same for all detectors.
"""
