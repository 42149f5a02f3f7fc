"""CUDA C++ on the CPU: ``rewrite`` turns it into C++, ``include/`` and ``runtime/`` let it run.

The Python here is text to text; judge.compiler.emulated compiles what comes out. Nothing here
knows a sandbox, a device or a compiler's command line.
"""
