"""Feeds every reader of the program hostile input: spoilt by its grammar, guided by what it reaches.

    python benchmarks/fuzz.py [TARGET ...] [--inputs 1000000] [--seconds 60] [--seed 1] [--keep FOLDER]
    python benchmarks/fuzz.py --again FILE ...

Each target (tests/fuzzing.py has them) runs in a process of its own, which may have 200 MB and no more, and writes
nowhere but in a folder of its own. Its input is made from inputs that reached code (marks.py tells) no other had reached,
and an input that does becomes one of them. What fails is written to the folder that --keep names, each kind of failure
once, made small; such a file is read again with --again. Printed are, for each target, the inputs and how many came in a
second, how many reached something new, how many were taken, failures, the slowest in seconds of processor time, and the
most memory in MB.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import mmap
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from typing import TYPE_CHECKING, Any

from marks import Marks, mark_program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(os.path.dirname(HERE), "tests")
#: What one input may take: seconds of processor time, seconds on the wall (others have their share), bytes of memory.
PATIENCE, WALL, MEMORY = 2.0, 20.0, 200 * 2**20
#: So many sound inputs to begin with; one in so many later ones is sound too.
FIRST, SOUND = 60, 100
#: The most letters of an input that others are made from.
ROOMY = 2**17
#: An input is made small in so many tries.
TRIES = 400
#: The most bytes of an input that its parent can still read when the process is dead.
ROOM = 2**24


# Nowhere else.

#: What the interpreter tells of before it happens, and which of its arguments are paths that are written to.
WRITES = {
    "os.rename": (0, 1), "os.remove": (0,), "os.mkdir": (0,), "os.rmdir": (0,), "os.truncate": (0,), "os.link": (1,),
    "os.chmod": (0,), "os.chown": (0,), "sqlite3.connect": (0,),
}  # fmt: skip
#: What no reader does at all.
NEVER = (
    "os.symlink",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "subprocess.Popen",
    "socket.connect",
    "socket.bind",
)


def stay_in(folder: str) -> None:
    """Let this process write nowhere but in `folder`, and start no other."""
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    # No links are made, so what a path leads to stays.
    real = functools.lru_cache(os.path.realpath)

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event in NEVER:
            raise AssertionError(f"{event} {arguments!r}")
        if event == "open":
            paths = arguments[:1] if isinstance(arguments[2], int) and arguments[2] & writes else ()
        else:
            paths = tuple(arguments[i] for i in WRITES.get(event, ()))
        for path in paths:
            if isinstance(path, str | bytes) and os.fsdecode(path) not in (":memory:", os.devnull):
                head, name = os.path.split(os.path.abspath(os.fsdecode(path)))
                if not os.path.join(real(head), name, "").startswith(folder + "/"):
                    raise AssertionError(f"{event} {path!r} outside of {folder}")

    sys.addaudithook(look)


def confined_targets(names: Iterable[str], folder: str) -> dict[str, Any]:
    """Make the targets `names`, each with a folder in `folder`; then hold this process to that and to its memory."""
    # Loaded before anything is forbidden.
    import fuzzing

    folder = os.path.realpath(folder)
    made = {}
    for name in names:
        os.mkdir(os.path.join(folder, name))
        made[name] = fuzzing.TARGETS[name](os.path.join(folder, name))
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    stay_in(folder)
    return made


# The process of a target.


class Slot:
    """What a process is at, where its parent can still read it once it is dead."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), ROOM)

    def put(self, number: int, text: str) -> None:
        """Note that input number `number` is `text`."""
        data = text.encode("utf-8", "surrogatepass")[: ROOM - 16]
        self.memory[:16] = number.to_bytes(8, "big") + len(data).to_bytes(8, "big")
        self.memory[16 : 16 + len(data)] = data

    def get(self) -> tuple[int, str]:
        """Return the number and the text of the last input."""
        number, length = (int.from_bytes(self.memory[at : at + 8], "big") for at in (0, 8))
        return number, self.memory[16 : 16 + length].decode("utf-8", "surrogatepass")


class Fault(Exception):
    """An input for which something did not hold; `kind` tells it from others."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind = kind


def attempt(target: Any, text: str) -> bool:
    """Have `text` read; return whether it was taken. Raises Fault."""
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    signal.setitimer(signal.ITIMER_REAL, WALL)
    try:
        return bool(target.attempt(text))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever comes out is what is looked for
        frames = traceback.extract_tb(error.__traceback__)
        where = [f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in frames]
        said = f"{type(error).__name__}: {str(error)[:300]!a} at {' '.join(where[-4:])}"
        raise Fault(f"{type(error).__name__} {where[-1]}", said) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def smaller(target: Any, text: str, kind: str) -> str:
    """Return a part of `text` that fails in the same way."""
    size, tries = max(len(text) // 2, 1), 0
    while size and tries < TRIES:
        at = 0
        while at < len(text) and tries < TRIES:
            tries += 1
            less = text[:at] + text[at + size :]
            try:
                attempt(target, less)
            except Fault as fault:
                if fault.kind == kind:
                    text = less
                    continue
            at += size
        size //= 2
    return text


def run_targets(options: argparse.Namespace) -> None:
    """Feed the targets one after another; print a line of JSON for each failure, and for what came of each target."""
    marks = Marks() if options.blind else mark_program()
    slot = Slot(options.slot)
    for target in confined_targets(options.targets, options.folder).values():
        os.chdir(target.folder)
        run_target(target, slot, marks, options)
        options.first = 0


def run_target(target: Any, slot: Slot, marks: Marks, options: argparse.Namespace) -> None:
    """Feed `target`, from input number `options.first` on."""
    rng = random.Random(options.seed)
    corpus = [target.make(rng) for _ in range(FIRST)]
    kinds: set[str] = set()
    number, fresh, slowest, taken, reached = options.first, 0, 0.0, 0, 0
    end = time.monotonic() + options.seconds
    for text in _inputs(rng, target, corpus):
        if number >= options.inputs or time.monotonic() >= end:
            break
        number += 1
        slot.put(number, text)
        begun = time.process_time()
        try:
            taken += attempt(target, text)
        except Fault as fault:
            if fault.kind not in kinds:
                kinds.add(fault.kind)
                _say(failure=str(fault), input=smaller(target, text, fault.kind))
        else:
            slowest = max(slowest, time.process_time() - begun)
            if (now := marks.reached()) > reached:
                reached, fresh = now, fresh + 1
                # One that is long in being read would be read again and again.
                if len(text) <= ROOMY:
                    corpus.append(text)
    _say(inputs=number, new=fresh, taken=taken, slowest=slowest)


def _inputs(rng: random.Random, target: Any, corpus: list[str]) -> Iterator[str]:
    """Yield what is in `corpus`, and then for ever what is made from it."""
    yield from list(corpus)
    while True:
        if rng.randrange(SOUND) == 0:
            corpus[rng.randrange(FIRST)] = text = target.make(rng)
            yield text
            continue
        # As often one of those that reached something new last as any.
        text = rng.choice(corpus[-20:] if rng.random() < 0.3 else corpus)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            text = target.spoil(rng, text, rng.choice(corpus))
        yield target.fitted(text)


def _say(**values: object) -> None:
    os.write(1, (json.dumps(values) + "\n").encode())


# The parent.


class Outcome:
    """What came of feeding a target."""

    def __init__(self) -> None:
        self.inputs = self.new = self.taken = 0
        self.failures: list[tuple[str, str]] = []
        self.slowest = self.seconds = self.megabytes = 0.0


def feed(
    names: Sequence[str], inputs: int, seconds: float = 60, seed: int = 1, *, blind: bool = False
) -> dict[str, Outcome]:
    """Feed each of the targets `names`; with `blind`, without looking at what an input reaches.

    A process that dies of an input is a failure of its target, and the next one goes on.
    """
    outcomes = {name: Outcome() for name in names}
    left = list(names)
    while left:
        outcome = outcomes[left[0]]
        if len(outcome.failures) >= 20 or outcome.inputs >= inputs or outcome.seconds >= seconds:
            del left[0]
            continue
        words = [f"--inputs={inputs}", f"--seconds={seconds - outcome.seconds}", *["--blind"] * blind]
        words += [f"--seed={seed + len(outcome.failures)}", f"--first={outcome.inputs}"]
        _feed_some(outcomes, left, words)
    return outcomes


def _feed_some(outcomes: dict[str, Outcome], left: list[str], words: list[str]) -> None:
    """Feed the targets in `left` in one process, to the end or its death; take those that came to their end out of it."""
    with tempfile.TemporaryDirectory(dir=_quick_folder()) as base:
        slot, folder = os.path.join(base, "slot"), os.path.join(base, "folder")
        os.mkdir(folder)
        with open(slot, "wb") as file:
            file.truncate(ROOM)
        path = os.pathsep.join([TESTS, os.path.dirname(HERE)])
        env = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": path, "HOME": folder, "LANG": "C.UTF-8"}
        command = [sys.executable, os.path.abspath(__file__), "--child", *words, *left]
        begun = time.monotonic()
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(
                [*command, f"--slot={slot}", f"--folder={folder}"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=env,
            ) as process,
        ):
            assert process.stdout
            for line in process.stdout:
                if _take(outcomes[left[0]], json.loads(line)):
                    outcomes[left.pop(0)].seconds += time.monotonic() - begun
                    begun = time.monotonic()
                if not left:
                    break
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            said = errors.read().decode(errors="replace")
        for outcome in outcomes.values():
            outcome.megabytes = max(outcome.megabytes, usage.ru_maxrss / 1024)
        if left:
            number, text = Slot(slot).get()
            outcome = outcomes[left[0]]
            if number <= outcome.inputs:
                raise SystemExit(f"the process of {left[0]} ended before its first input: {said}")
            outcome.inputs = number
            outcome.seconds += time.monotonic() - begun
            outcome.failures.append((_death(process.returncode, said), text))


def _take(outcome: Outcome, told: dict[str, Any]) -> bool:
    """Take what a process said of a target; return whether it is done with it."""
    if "failure" in told:
        outcome.failures.append((told["failure"], told["input"]))
        return False
    outcome.inputs = told["inputs"]
    outcome.new += told["new"]
    outcome.taken += told["taken"]
    outcome.slowest = max(outcome.slowest, told["slowest"])
    return True


def _death(status: int, said: str) -> str:
    if status == -signal.SIGPROF:
        return f"hang: more than {PATIENCE} s of processor time"
    if status == -signal.SIGALRM:
        return f"hang: more than {WALL} s"
    return f"died with status {status}: {said[-500:]!a}"


def _quick_folder() -> str | None:
    """Return a folder in memory, where there is one: the disk is not what is tried here."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def keep(folder: str, name: str, text: str) -> str:
    """Write an input that failed; return the name of its file, which begins with that of the target."""
    data = text.encode("utf-8", "surrogatepass")
    path = os.path.join(folder, f"{name}-{hashlib.sha256(data).hexdigest()[:8]}")
    with open(path, "wb") as file:
        file.write(data)
    return path


def kept(path: str) -> tuple[str, str]:
    """Return the target and the text of a file that :func:`keep` wrote."""
    with open(path, "rb") as file:
        return os.path.basename(path).partition("-")[0], file.read().decode("utf-8", "surrogatepass")


def again(paths: Sequence[str]) -> int:
    """Have the inputs in the files `paths` read again; print what came of each, and return how many failed."""
    inputs = [(os.path.basename(path), *kept(path)) for path in paths]
    failed = 0
    with tempfile.TemporaryDirectory(dir=_quick_folder()) as folder:
        made = confined_targets({name for _, name, _ in inputs}, folder)
        for file, name, text in inputs:
            os.chdir(made[name].folder)
            print(file, end=" ", flush=True)
            begun = time.process_time()
            try:
                said = "taken" if attempt(made[name], text) else "refused"
            except Fault as fault:
                said = str(fault)
                failed += 1
            print(f"{said} ({time.process_time() - begun:.2f} s)", flush=True)
        os.chdir(folder)
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--blind", action="store_true", help="don't look at what an input reaches")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--again", metavar="FILE", nargs="+")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    for name in ("--slot", "--folder"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        run_targets(options)
        return
    sys.path[:0] = [TESTS, os.path.dirname(HERE)]
    if options.again:
        sys.exit(again(options.again) > 0)
    import fuzzing

    failures = 0
    print(
        f"{'target':<11}{'inputs':>10}{'a second':>10}{'new':>6}{'taken':>9}{'failures':>9}{'slowest':>9}{'MB':>6}"
    )
    for name in options.targets or fuzzing.TARGETS:
        got = feed([name], options.inputs, options.seconds, options.seed, blind=options.blind)[name]
        print(
            f"{name:<11}{got.inputs:>10,}{got.inputs / got.seconds:>10,.0f}{got.new:>6}{got.taken:>9,}"
            f"{len(got.failures):>9}{got.slowest:>9.2f}{got.megabytes:>6.0f}",
            flush=True,
        )
        failures += len(got.failures)
        for said, text in got.failures:
            where = f" -> {keep(options.keep, name, text)}" if options.keep else ""
            print(f"  {said}: {text[:100]!a}{where}", flush=True)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
