"""The signals of `LearnedSignals`: how extreme a row is, in many ways that need no label.

In the order of a row: `rows` (the spaces), `nearest`, `subspaces`, `columns`, `pairs`, `dependence`
and `histograms` (the signals), `profile` (their names and order), `look` (all of them, for one set
of reference rows), `looks` (one look or two), `calibration` (how extreme each is among the
reference rows' own), `weights` (the network that makes one score of them).
"""
