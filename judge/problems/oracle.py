"""Runs a package's ``reference.py``: the right answer, its error scale, and the author's inputs.

The file is the admins' code, trusted as this repository is. Its mistakes are theirs all the same:
they come out as OracleError with file and line, never as somebody's verdict.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from judge.domain import Parameter, Problem, TestCase, Workload
from judge.problems.consistency import buffer_shape
from judge.problems.package import ProblemPackage
from judge.problems.reference_source import BASELINE, MAGNITUDE, MAKE_INPUTS, REFERENCE
from judge.problems.tensors import TORCH_DTYPES

Tensors = Mapping[str, torch.Tensor]

#: Types that torch stores but cannot compare; accepted only where they are the output's own.
_NO_ARITHMETIC = frozenset({torch.bool, torch.uint16, torch.uint32, torch.uint64})


class OracleError(Exception):
    """A package's ``reference.py`` failed or gave the wrong thing: its author's fault."""

    def __init__(self, file: Path, line: int | None, message: str) -> None:
        place = str(file) if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {message}")
        self.file = file
        self.line = line
        self.message = message


@dataclass(frozen=True)
class BaselineCall:
    """``run`` is all that is to be timed; ``outputs`` makes of its result the outputs by name.

    Both raise OracleError.
    """

    run: Callable[[], object]
    outputs: Callable[[object], dict[str, torch.Tensor]]


def load_oracle(package: ProblemPackage) -> Oracle:
    """The oracle of ``package``; its module runs once per version. Raises OracleError."""
    module = _load_module(package.reference_path, package.digest)
    return Oracle(package.problem, package.reference_path, module)


class Oracle:
    """The functions of one ``reference.py``, called by name and held to what they promise."""

    def __init__(self, problem: Problem, path: Path, module: ModuleType) -> None:
        self._problem = problem
        self._path = path
        self._module = module

    def reference(
        self, inputs: Tensors, sizes: Mapping[str, int], scalars: Mapping[str, float]
    ) -> dict[str, torch.Tensor]:
        """The right value of every output, by name: contiguous, in the outputs' shapes.

        Dtypes are what the author computed in (float64 as a rule), not the outputs' own. Where
        all inputs are finite, values are finite and within the range of the output's dtype.
        ``inputs`` holds every IN and INOUT buffer and is left unchanged. Raises OracleError.
        """
        outputs = self._compute(REFERENCE, inputs, sizes, scalars)
        for parameter in self._problem.outputs:
            self._check_range(parameter, outputs[parameter.name], inputs)
        return outputs

    def magnitude(
        self, inputs: Tensors, sizes: Mapping[str, int], scalars: Mapping[str, float]
    ) -> dict[str, torch.Tensor] | None:
        """The scale of the rounding error of every output element, for the reduction rule.

        None when the package defines none. Values are at least 0. Raises OracleError.
        """
        if not hasattr(self._module, MAGNITUDE):
            return None
        outputs = self._compute(MAGNITUDE, inputs, sizes, scalars)
        for name, tensor in outputs.items():
            if tensor.dtype in _NO_ARITHMETIC:
                continue  # unsigned: neither negative nor infinite
            low, high = _extremes(tensor)
            # An infinite or NaN bound would accept anything.
            if not (low >= 0 and high < math.inf) and _all_finite(inputs):
                raise self._error(
                    MAGNITUDE,
                    f"{name} ranges from {low:g} to {high:g} for finite inputs; it must be a sum "
                    "of absolute values",
                )
        return outputs

    @property
    def has_baseline(self) -> bool:
        """Whether the author names a library's call to compare with."""
        return hasattr(self._module, BASELINE)

    def baseline(
        self, inputs: Tensors, sizes: Mapping[str, int], scalars: Mapping[str, float]
    ) -> BaselineCall:
        """The library's call on ``inputs``, ready to be made and timed. Needs ``has_baseline``."""
        arguments = _named_arguments(
            getattr(self._module, BASELINE), {**inputs, **sizes, **scalars}
        )
        return BaselineCall(
            run=lambda: self._call(BASELINE, **arguments),
            outputs=lambda given: self._outputs(BASELINE, given, inputs, sizes),
        )

    def make_inputs(
        self, case: TestCase | Workload, generator: torch.Generator
    ) -> dict[str, torch.Tensor]:
        """What the author's ``make_inputs`` gives for some of the input buffers; {} without one.

        Contiguous, of the parameters' shapes and dtypes. Raises OracleError.
        """
        if not hasattr(self._module, MAKE_INPUTS):
            return {}
        given = self._call(MAKE_INPUTS, case, generator)
        if not isinstance(given, Mapping):
            raise self._error(MAKE_INPUTS, f"expected a dict of tensors, got {_kind(given)}")
        parameters = {parameter.name: parameter for parameter in self._problem.inputs}
        tensors: dict[str, torch.Tensor] = {}
        for name, tensor in given.items():
            if name not in parameters:
                raise self._error(
                    MAKE_INPUTS,
                    f'"{name}" is not an input buffer; they are {", ".join(parameters)}',
                )
            self._check_tensor(MAKE_INPUTS, parameters[name], tensor, case.sizes)
            dtype = TORCH_DTYPES[parameters[name].dtype]
            tensors[name] = tensor.detach().to(dtype).contiguous()
        return tensors

    def _compute(
        self,
        function: str,
        inputs: Tensors,
        sizes: Mapping[str, int],
        scalars: Mapping[str, float],
    ) -> dict[str, torch.Tensor]:
        """Call ``function`` with the arguments it names; its outputs, checked."""
        arguments = _named_arguments(
            getattr(self._module, function), {**inputs, **sizes, **scalars}
        )
        # torch counts the in-place changes of a tensor; comparing contents would cost more.
        versions = {name: tensor._version for name, tensor in inputs.items()}
        with torch.no_grad():
            given = self._call(function, **arguments)
        for name, tensor in inputs.items():
            if tensor._version != versions[name]:
                raise self._error(function, f"changes its argument {name}; work on a clone")
        return self._outputs(function, given, inputs, sizes)

    def _outputs(
        self, function: str, given: object, inputs: Tensors, sizes: Mapping[str, int]
    ) -> dict[str, torch.Tensor]:
        """What ``function`` gave, by output name, checked."""
        outputs = self._problem.outputs
        if isinstance(given, torch.Tensor):
            if len(outputs) != 1:
                names = ", ".join(output.name for output in outputs)
                raise self._error(function, f"one tensor for several outputs; give a dict: {names}")
            given = {outputs[0].name: given}
        if not isinstance(given, Mapping):
            raise self._error(function, f"expected a tensor or a dict of them, got {_kind(given)}")
        if set(given) != {output.name for output in outputs}:
            raise self._error(
                function,
                f"gives {', '.join(map(str, given)) or 'nothing'}; the outputs are "
                f"{', '.join(output.name for output in outputs)}",
            )
        for output in outputs:
            self._check_tensor(function, output, given[output.name], sizes)
        owned = {tensor.untyped_storage().data_ptr() for tensor in inputs.values()}
        return {name: _detached(tensor, owned) for name, tensor in given.items()}

    def _call(self, function: str, *args: object, **kwargs: object) -> Any:
        try:
            return getattr(self._module, function)(*args, **kwargs)
        except Exception as error:
            raise _author_error(self._path, error, f"{function} failed: ") from error

    def _check_tensor(
        self, function: str, parameter: Parameter, tensor: object, sizes: Mapping[str, int]
    ) -> None:
        name = parameter.name
        if not isinstance(tensor, torch.Tensor):
            raise self._error(function, f"{name}: expected a tensor, got {_kind(tensor)}")
        shape = buffer_shape(parameter, sizes)
        if tuple(tensor.shape) != shape:
            raise self._error(
                function, f"{name} has shape {tuple(tensor.shape)}, expected {shape} at {sizes}"
            )
        if parameter.dtype.is_floating != tensor.is_floating_point() or tensor.is_complex():
            wanted = "a floating" if parameter.dtype.is_floating else "an integer"
            raise self._error(function, f"{name} is {tensor.dtype}, expected {wanted} type")
        own = TORCH_DTYPES[parameter.dtype]
        if tensor.dtype is not own and tensor.dtype in _NO_ARITHMETIC:
            raise self._error(function, f"{name} is {tensor.dtype}; use int64 or {own}")

    def _check_range(self, parameter: Parameter, tensor: torch.Tensor, inputs: Tensors) -> None:
        """An overflowing or NaN reference would pass the very answers that it should fail."""
        dtype = TORCH_DTYPES[parameter.dtype]
        if tensor.dtype is dtype and not dtype.is_floating_point:
            return
        limits = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
        low, high = _extremes(tensor)
        if (low >= limits.min and high <= limits.max) or not _all_finite(inputs):
            return
        raise self._error(
            REFERENCE,
            f"{parameter.name} ranges from {low:g} to {high:g} for finite inputs, which "
            f"{parameter.dtype} cannot hold; choose other sizes or another distribution",
        )

    def _error(self, function: str, message: str) -> OracleError:
        line = inspect.unwrap(getattr(self._module, function)).__code__.co_firstlineno
        return OracleError(self._path, line, f"{function}: {message}")


@functools.lru_cache(maxsize=64)
def _load_module(path: Path, digest: str) -> ModuleType:
    # A private name for every version: two boards may judge two versions side by side.
    name = f"_warpboard_reference_{digest}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    except Exception as error:
        del sys.modules[name]
        raise _author_error(path, error, "cannot be loaded: ") from error
    return module


def _named_arguments(
    function: Callable[..., Any], available: Mapping[str, object]
) -> dict[str, object]:
    """Those of ``available`` that ``function`` takes: all of them if it takes ``**kwargs``."""
    parameters = inspect.signature(function).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return dict(available)
    return {p.name: available[p.name] for p in parameters if p.name in available}


def _detached(tensor: torch.Tensor, owned: set[int]) -> torch.Tensor:
    """Contiguous, without gradients, and never a view of an input that the judge may overwrite."""
    contiguous = tensor.detach().contiguous()
    if contiguous.untyped_storage().data_ptr() in owned:
        return contiguous.clone()
    return contiguous


def _extremes(tensor: torch.Tensor) -> tuple[float, float]:
    """The least and the greatest value without a temporary; both are NaN if any element is."""
    low, high = torch.aminmax(tensor)
    return low.item(), high.item()


def _all_finite(tensors: Tensors) -> bool:
    return all(
        bool(torch.isfinite(tensor).all())
        for tensor in tensors.values()
        if tensor.is_floating_point()
    )


def _author_error(path: Path, error: Exception, prefix: str) -> OracleError:
    """``error`` at the last line of ``path`` that it passed through."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(path)
    ]
    if isinstance(error, SyntaxError) and error.filename == str(path):
        lines.append(error.lineno)
    return OracleError(
        path, lines[-1] if lines else None, f"{prefix}{type(error).__name__}: {error}"
    )


def _kind(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
