"""Scale learning, in the paper's order: subspaces, transform, labels, network, loss.

1. `subspaces`: sample groups of random feature subsets (S; r groups of c).
2. `transform`: lift every sub-vector to one width with a random map (T; width h).
3. `labels`: say how much weighted detail went into each (G; omega, gamma, delta).
4. `network`: predict the scales of a group from its representations (Phi).
5. `loss`: compare predicted and true scales as distributions (the paper's ell).

`objective` puts the five together for training, `scoring` for new rows.
"""
