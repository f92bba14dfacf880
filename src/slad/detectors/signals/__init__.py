"""The signals of `LearnedSignals`: how extreme a row is, in some hundred ways that need no label.

In the order of a row: `rows` (the spaces), `nearest`, `columns`, `pairs` and `dependence` (the
signals), `look` (all of them, for one set of reference rows), `calibration` (how extreme each is
among the reference rows' own), `weights` (the network that makes one score of them).
"""
