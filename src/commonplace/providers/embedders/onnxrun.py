"""ONNX Runtime as we use it: one session, one thread per text, loaded late, its errors in our words."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from commonplace.errors import EmbedderFailed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Vectors

_Read = TypeVar("_Read")
_MOST_THREADS = 4
_FEW = 8  # texts, for which it takes longer to have threads than to do without


class Session(Protocol):
    """What we use of ONNX Runtime, which has no types of its own."""

    def run(
        self, outputs: Sequence[str] | None, inputs: "Mapping[str, NDArray[np.int64] | Vectors]"
    ) -> "Sequence[Vectors]": ...


def open_session(model: Path) -> Session:
    """A session on one thread: several texts are run side by side instead, which uses the cores better."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # else the runtime gives this machine a number and tells its maker
    try:
        runtime: Any = import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        if _may_overflow():
            options.add_session_config_entry("session.x64quantprecision", "1")
        # What is beyond this is about convolutions, of which there are none, and takes as long to look for.
        options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        return runtime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime raises types of its own that share no base but this
        raise EmbedderFailed(
            f"The embedding model cannot be loaded: {error}.", hint="Until this is mended, search uses keywords alone."
        ) from error


@cache
def _may_overflow() -> bool:
    """Whether 8-bit products may overflow here, so that the same text gets another score: unless Linux says that the
    processor has VNNI. Keeping them from it gives the same scores, and takes longer than all the rest of loading."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as told:
            return not {"avx512_vnni", "avx_vnni"} & set(told.read(16_384).split())
    except OSError:
        return True


def one_by_one(texts: Sequence[_Read], embed: "Callable[[_Read], Vectors]", dimensions: int) -> "Vectors":
    """One vector a text, or pair of texts. Each is run alone: 8-bit activations would otherwise depend on its
    neighbours."""
    workers = 1 if len(texts) <= _FEW else min(os.cpu_count() or 1, _MOST_THREADS)
    try:
        if workers <= 1:
            rows = [embed(text) for text in texts]
        else:  # the runtime releases the interpreter, so threads share the cores without sharing a batch
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(workers) as pool:
                rows = list(pool.map(embed, texts))
    except EmbedderFailed:
        raise
    except Exception as error:  # as above
        raise EmbedderFailed(
            f"The embedding model failed: {error}.", hint="Until this is mended, search uses keywords alone."
        ) from error
    return np.stack(rows) if rows else np.zeros((0, dimensions), dtype=np.float32)
