"""The site for an ASGI server: ``uvicorn webapp.asgi:application``.

Unlike Django's own entry it runs the system checks first: a site that is set up wrongly stops
with an id and a hint instead of serving.
"""

from __future__ import annotations

import os

from django.core.asgi import get_asgi_application
from django.core.management import call_command

from webapp.bounded_body import BoundedBody

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

application = BoundedBody(get_asgi_application())
call_command("check")
