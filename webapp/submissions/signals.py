"""What other parts of the site may listen to. Sent inside the transaction that stores a verdict."""

from __future__ import annotations

from django.dispatch import Signal

#: A Run got its final verdict; sender is ``Run``, argument ``run``.
run_finished = Signal()
