"""What a submission runs on: buffers, clocks, environment. ``interface`` is the contract.

Devices know no sandbox and no compiler; they describe commands and are handed an Executor.
"""
