"""The ``warpboard`` command, content with fewer samples of the emulated device.

Journeys are about the way from a submission to a board, not about the precision of its times.
"""

from __future__ import annotations

from dataclasses import replace

from judge.cli.main import main
from judge.devices.emulated import EmulatedDevice

EmulatedDevice.timing = replace(EmulatedDevice.timing, max_seconds=0.75)

if __name__ == "__main__":
    main()
