"""How the weights of `LearnedSignals` are learned, from the 867 one-class tables.

`table_inputs` (what the network sees of a table), `training` (the network learns), `crossing`
(every table judged by weights that never saw its source), `learning` (the command).
"""
