"""What other parts of the site may listen to. Sent inside the transaction that loads a package."""

from __future__ import annotations

from django.dispatch import Signal

#: A problem is judged by another version from now on; sender is ``ProblemVersion``, argument
#: ``version``.
version_published = Signal()
