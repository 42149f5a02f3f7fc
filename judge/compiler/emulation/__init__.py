"""CUDA C++ on the CPU: ``rewrite`` turns it into C++, ``include/`` and ``runtime/`` let it run.

``support`` builds what all submissions share; judge.compiler.emulated compiles one of them.
"""
