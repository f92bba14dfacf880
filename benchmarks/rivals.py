"""Speed of the paper's rivals, against other implementations of them in the same run.

Peers: DeepOD 0.4.1 and PyOD's GAAL (`pip install --no-deps --target DIR deepod==0.4.1 pyod`, then
--peer DIR). Fit and score through the public methods of both, with the same settings, interleaved;
of each the shortest time counts. Both sides' AUC-ROC on the same made-up anomalies shows that they
do the same work. One record a case under paper/results/speed/.

    python benchmarks/rivals.py --peer DIR                 # one model of each; target: 5 times
    python benchmarks/rivals.py --peer DIR --device cuda   # 20 seeds as a stack; target: 30 times
    python benchmarks/rivals.py --cases cost               # every detector alone, on one core
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from slad.core.devices import resolve_device
from slad.detectors import Detector, fit_many, registry
from slad.detectors.stacking import StackDetector
from slad_paper.runner import peers
from slad_paper.runner.peers import GAAL_EPOCHS, kept_apart, make_peer, peer_class, use
from slad_paper.runner.records import environment, write_record
from slad_paper.runner.timing import rows_like, seconds

ROWS, FEATURES = 5_000, 20
EPOCHS, BATCH = 10, 128
STACK = 20
LONG, LONG_PEER = 5.0, 60.0
"""Seconds: what takes longer is not repeated, in the table of costs and of peers."""
TARGET = {"cpu": 5, "cuda": 30}


@dataclass(frozen=True)
class Rival:
    """A detector of ours and the same method elsewhere, with equal settings."""

    ours: str
    settings: dict[str, Any] = field(default_factory=dict)
    trained: bool = True
    """Whether the peer trains for epochs."""
    higher_is_stranger: bool = True
    """Of the peer's scores."""

    @property
    def peer(self) -> str:
        """Module and class."""
        return peers.CLASSES[self.ours]


TRAINED = {"epochs": EPOCHS, "batch_size": BATCH, "n_members": 1}
GAME = {"epochs": GAAL_EPOCHS}
RIVALS = (
    Rival("icl", TRAINED),
    Rival("icl-deepod", TRAINED),
    Rival("neutral", TRAINED),
    Rival("goad", TRAINED),
    Rival("rca", TRAINED),
    Rival("dsvdd", TRAINED),
    Rival("dif", trained=False),
    Rival("so-gaal", GAME, higher_is_stranger=False),
    Rival("mo-gaal", GAME, higher_is_stranger=False),
    Rival("slad-released", {"epochs": EPOCHS}),
)


# -- one model of each, and a stack of each --------------------------------------------------------


@dataclass
class Problem:
    """Rows to learn from, rows to score, and which of these are made-up anomalies."""

    normal: np.ndarray
    rows: np.ndarray
    labels: np.ndarray

    @classmethod
    def draw(cls, n: int, d: int) -> Problem:
        normal, odd = rows_like(n, d)
        labels = np.repeat([0, 1], [len(normal), len(odd)])
        return cls(normal, np.concatenate([normal, odd]), labels)

    def auc(self, scores: np.ndarray) -> float:
        return float(roc_auc_score(self.labels, scores))


@dataclass
class Timing:
    fit: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    auc: list[float] = field(default_factory=list)

    @property
    def best(self) -> dict[str, float]:
        """The shortest of each; their sum is what counts."""
        parts = {"fit": min(self.fit), "score": min(self.score)}
        return parts | {"fit + score": sum(parts.values())}

    def plain(self) -> dict[str, Any]:
        return {
            "seconds": self.best,
            "all_seconds": {"fit": self.fit, "score": self.score},
            "auc_roc": float(np.mean(self.auc)),
        }


def ours_of(rival: Rival, seed: int, device: torch.device) -> Detector:
    """Our detector; of the settings, those that it has."""
    has = registry.make(rival.ours).get_params(deep=False)
    settings = {name: value for name, value in rival.settings.items() if name in has}
    if "device" in has:
        settings["device"] = device.type
    return registry.make(rival.ours, random_state=seed, **settings)


def time_ours(rival: Rival, problem: Problem, seeds: Sequence[int], device: torch.device) -> Timing:
    """One fit, or one stack of several seeds, and scores of each of them."""
    detectors = [ours_of(rival, seed, device) for seed in seeds]
    scores: list[np.ndarray] = []

    def fit() -> None:
        if len(detectors) == 1:
            detectors[0].fit(problem.normal)
        else:
            fit_many(detectors, [problem.normal] * len(detectors))

    def score() -> None:
        scores.extend(detector.anomaly_score(problem.rows) for detector in detectors)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        timing = Timing([seconds(fit, device)], [seconds(score, device)])
    timing.auc = [problem.auc(each) for each in scores]
    return timing


def time_peer(
    rival: Rival,
    cls: Any,
    problem: Problem,
    seed: int,
    device: torch.device,
    epochs: int = EPOCHS,
) -> Timing:
    """A fit and a scoring; of fewer epochs than ours, the time of all is worked out."""
    scores: list[np.ndarray] = []
    with kept_apart(seed):
        peer = make_peer(rival.ours, cls, seed, device, epochs if rival.trained else None)
        fit = seconds(lambda: peer.fit(problem.normal), device)
        score = seconds(lambda: scores.append(peer.decision_function(problem.rows)), device)
    if epochs < EPOCHS and rival.trained:
        fixed = min(score * len(problem.normal) / len(problem.rows), fit)  # a fit scores its rows
        fit = fixed + (fit - fixed) * EPOCHS / epochs
    sign = 1 if rival.higher_is_stranger else -1
    return Timing([fit], [score], [problem.auc(sign * np.asarray(scores[0]).ravel())])


def compare(rival: Rival, options: argparse.Namespace, problem: Problem) -> dict[str, Any] | None:
    """Ours and the peer by turns; on a GPU ours are a stack, and the peer's one fit counts 20."""
    device: torch.device = options.device
    stacked = STACK if device.type == "cuda" else 1
    if rival.ours not in registry.names():
        print(f"{rival.ours}: not here yet, left out", file=sys.stderr)
        return None
    if stacked > 1 and not isinstance(registry.make(rival.ours), StackDetector):
        print(f"{rival.ours}: has no networks to train as a stack, left out", file=sys.stderr)
        return None
    cls = peer_class(rival.ours) if options.peer else None
    ours, theirs = Timing(), Timing()
    for repeat in range(options.repeats):
        print(f"{rival.ours}, {repeat + 1} of {options.repeats} ...", file=sys.stderr)
        seeds = range(repeat * stacked, (repeat + 1) * stacked)
        _add(ours, time_ours(rival, problem, seeds, device))
        slow = sum(theirs.fit) > LONG_PEER
        if cls is not None and repeat < options.peer_repeats and not slow:
            _add(theirs, time_peer(rival, cls, problem, repeat, device, options.peer_epochs))
    found: dict[str, Any] = {"models": stacked, "slad": ours.plain()}
    if theirs.fit:
        found["peer"] = theirs.plain() | {"class": rival.peer, "times": stacked}
        found["ratio"] = {
            part: stacked * theirs.best[part] / ours.best[part] for part in theirs.best
        }
    return found


def _add(total: Timing, more: Timing) -> None:
    total.fit += more.fit
    total.score += more.score
    total.auc += more.auc


def rivals(options: argparse.Namespace) -> dict[str, Any]:
    """Every rival at 5,000 x 20."""
    problem = Problem.draw(ROWS, FEATURES)
    chosen = [each for each in RIVALS if not options.only or each.ours in options.only]
    found = {rival.ours: compare(rival, options, problem) for rival in chosen}
    about = (
        f"fit + score of {ROWS:,} x {FEATURES} ({len(problem.rows):,} rows scored), {EPOCHS} "
        f"epochs of batches of {BATCH} (GAAL: {GAAL_EPOCHS} epochs of 500), the shortest of the "
        "repeats"
    )
    if options.device.type == "cuda":
        about += (
            f"; ours: {STACK} seeds as one stack; the peer: one seed, its time taken {STACK} times"
        )
    if options.peer_epochs < EPOCHS:
        about += (
            f"; DeepOD trained for {options.peer_epochs} epochs, the time for {EPOCHS} is worked "
            "out from that (and its AUC is of the shorter training)"
        )
    return {
        "about": about,
        "target": TARGET[options.device.type],
        "repeats": options.repeats,
        "peer_repeats": options.peer_repeats,
        "rivals": {name: each for name, each in found.items() if each},
    }


# -- what each costs -------------------------------------------------------------------------------


def cost(options: argparse.Namespace) -> dict[str, Any]:
    """Every detector of the registry with its defaults, on one core."""
    problem = Problem.draw(ROWS, FEATURES)
    cpu = torch.device("cpu")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    found = {}
    try:
        with threadpool_limits(1):
            for name in options.only or registry.names():
                print(f"{name} ...", file=sys.stderr)
                timing = Timing()
                for seed in range(options.repeats):
                    seeds = [seed] if not registry.is_deterministic(name) else [None]
                    _add(timing, time_alone(name, problem, seeds[0], cpu))
                    if timing.fit[-1] + timing.score[-1] > LONG:
                        break
                found[name] = timing.plain()
    finally:
        torch.set_num_threads(threads)
    return {"rows": ROWS, "scored": len(problem.rows), "features": FEATURES, "detectors": found}


def time_alone(name: str, problem: Problem, seed: int | None, device: torch.device) -> Timing:
    """A fit and a scoring with the defaults."""
    settings: dict[str, Any] = {} if seed is None else {"random_state": seed}
    if "device" in registry.make(name).get_params(deep=False):
        settings["device"] = device.type
    detector = registry.make(name, **settings)
    scores: list[np.ndarray] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = seconds(lambda: detector.fit(problem.normal), device)
        score = seconds(lambda: scores.append(detector.anomaly_score(problem.rows)), device)
    return Timing([fit], [score], [problem.auc(scores[0])])


# -- the command -----------------------------------------------------------------------------------


def table(name: str, result: dict[str, Any]) -> Iterator[str]:
    """What a terminal shows."""
    if name == "cost":
        yield f"{'detector':15}{'fit, s':>9}{'score, s':>10}{'AUC-ROC':>9}"
        for detector, each in result["detectors"].items():
            taken = each["seconds"]
            yield (f"{detector:15}{taken['fit']:9.3f}{taken['score']:10.3f}{each['auc_roc']:9.3f}")
        return
    yield result["about"]
    yield f"{'detector':15}{'ours, s':>9}{'peer, s':>9}{'ratio':>7}{'AUC ours':>10}{'AUC peer':>10}"
    for detector, each in result["rivals"].items():
        ours = each["slad"]
        line = f"{detector:15}{ours['seconds']['fit + score']:9.3f}"
        if "peer" not in each:
            yield f"{line}{'–':>9}{'–':>7}{ours['auc_roc']:10.3f}"
            continue
        peer, ratio = each["peer"], each["ratio"]["fit + score"]
        missed = "" if ratio >= result["target"] else f"  below {result['target']}"
        taken = peer["times"] * peer["seconds"]["fit + score"]
        yield (
            f"{line}{taken:9.3f}{ratio:7.1f}{ours['auc_roc']:10.3f}{peer['auc_roc']:10.3f}{missed}"
        )


def command(arguments: Sequence[str]) -> str:
    """The command without the places of this machine."""
    words = ["python", "benchmarks/rivals.py", *arguments]
    for option, stands_for in (("--peer", "DIR"), ("--results", "paper/results/speed")):
        if option in words:
            words[words.index(option) + 1] = stands_for
    return " ".join(words)


CASES: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {"rivals": rivals, "cost": cost}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=["rivals"])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="some detectors of ours only")
    parser.add_argument("--peer", type=Path, help="folder that holds DeepOD and PyOD")
    parser.add_argument("--device", default="cpu", type=resolve_device)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peer-repeats", type=int, default=2)
    parser.add_argument(
        "--peer-epochs",
        type=int,
        choices=range(1, EPOCHS + 1),
        default=EPOCHS,
        metavar="N",
        help=f"train DeepOD for fewer epochs and work the time of {EPOCHS} out",
    )
    parser.add_argument("--results", type=Path, default=Path("paper/results/speed"))
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(given)
    if options.peer:
        use(options.peer)
    device = options.device.type
    for name in options.cases:
        result = CASES[name](options)
        where = "cpu" if name == "cost" else device
        record = {"benchmark": name, "device": where, "result": result}
        write_record(
            options.results / f"{name}-{where}.json",
            record | {"environment": environment(command(given))},
        )
        print("\n".join(table(name, result)))


if __name__ == "__main__":
    main()
