"""Is an output right, by how much is it off, and what does that look like?

Torch tensors in, domain values out; on whatever device the tensors are. Knows no device, process
or verdict policy: the pipeline turns a mismatch into WA.

- ``bounds``       how far each element may be from the oracle's
- ``comparison``   which elements are outside, the first of them, the largest errors
- ``explanation``  a sentence for people, with a hint where the pattern tells one
- ``case``         all of it, for the outputs of one call
"""

from judge.checking.bounds import OracleFault, bounds
from judge.checking.case import check_case
from judge.checking.comparison import OutputCheck, check_output, inputs_unchanged, same_bits
from judge.checking.explanation import explain

__all__ = [
    "OracleFault",
    "OutputCheck",
    "bounds",
    "check_case",
    "check_output",
    "explain",
    "inputs_unchanged",
    "same_bits",
]
