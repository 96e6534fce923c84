"""What callers want, and what workers serve."""

import dataclasses
import math


@dataclasses.dataclass(eq=False)
class Request:
    """What a caller wants (docs/callers.md)."""
    at: float
    size: float
    of_class: str = ""
    priority: int = 0
    patience: float = math.inf
    deadline: float = math.inf
    prefix: tuple = ()
    saves: float = 0.0                 # of its service, if all of its prefix is there

    outcome: str = ""                  # "answered", "rejected" or "abandoned", when it has ended
    end: float = math.nan
    begun: float | None = None         # the service that was answered
    gave_up: bool = False              # its last attempt, by patience
    tries: int = 0
    hedges: int = 0                    # of this try
    live: list = dataclasses.field(default_factory=list)    # attempts of this try that may still be answered


@dataclasses.dataclass(eq=False)
class Task:
    """What a worker serves: an attempt of a request, or a call that an attempt makes in a stage."""
    request: Request
    work: float
    came: tuple                        # when, and after how many others: to where it waits now
    of_try: int = 0
    attempt: "Task | None" = None      # whose call it is

    state: str = "there"               # then "served", "lost", "dropped" or "gone"
    pool: object = None
    worker: object = None              # None: in the common queue
    since: float = 0.0                 # in the pool
    begun: float | None = None
    left: float = 0.0                  # of its work
    attained: float = 0.0              # of it; steps, in a batch that has them

    unwanted: bool = False             # an attempt: nobody waits for it any more
    stage: int = 0                     # an attempt: 0 is [pool]
    calls: list = dataclasses.field(default_factory=list)   # an attempt: those of this stage that are not over
    failure: str = ""                  # an attempt: what became of a call

    def __post_init__(self):
        self.left = self.work
