"""The site's Celery app: consumes the judge's events, and looks after waiting and lost Runs.

Start it with ``celery -A webapp.celery worker -B -Q events --pool=solo``. One consumer stores
events in the order in which workers sent them; more are safe, since storing does not depend on
order. Jobs for workers are sent by ``webapp.submissions.dispatch``, over its own connection.
"""

from __future__ import annotations

import os

from celery import Celery

from judge.messages import EVENTS_QUEUE

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

from django.conf import settings

#: Seconds between two looks at Runs that wait for dispatch or lost their worker.
CARE_SECONDS = 5.0

app = Celery("webapp", broker=settings.WARPBOARD_BROKER_URL)
app.conf.update(
    task_default_queue=EVENTS_QUEUE,
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    worker_hijack_root_logger=False,
    # Redis may be away at the start or go away later; keep trying for as long as it takes.
    broker_connection_retry=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_transport_options={
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
        # An event that went down with its consumer comes again after this long. What is in hand is
        # kept apart from the judge workers' jobs, which may rightly take much longer.
        "visibility_timeout": 60,
        "unacked_key": "unacked.site",
        "unacked_index_key": "unacked_index.site",
        "unacked_mutex_key": "unacked_mutex.site",
    },
    # The schedule below needs no memory of its last run, so none is written to disk.
    beat_scheduler="celery.beat:Scheduler",
    beat_max_loop_interval=CARE_SECONDS,
    beat_schedule={
        name: {
            "task": f"webapp.{name}",
            "schedule": CARE_SECONDS,
            "options": {"expires": 2 * CARE_SECONDS},
        }
        for name in ("dispatch_pending", "requeue_lost")
    },
)
app.autodiscover_tasks(["webapp.submissions", "webapp.ops"])
