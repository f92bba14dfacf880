"""The paper's method, one module for each step, in the paper's order.

1. `subspaces` samples groups of random feature subsets (S; r groups of c).
2. `transform` lifts every sub-vector to one width with a random map (T; width h).
3. `labels` gives each its scale: how much weighted detail went in (G; omega, gamma, delta).
4. `network` predicts the scales of a group from its representations (Phi).
5. `loss` compares predicted and true scales as distributions (the paper's ell).
6. `objective` trains the five together; `scoring` scores new rows with them (tau).
7. `estimator` is `SLAD`, with its parameters and recipes; `fitting` is what its `fit` does.

`fused` is the step of `network` and `loss` as one GPU kernel, `streamed` the fit on rows that no
memory holds.
"""
