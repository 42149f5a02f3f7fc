"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, path

from webapp import views
from webapp.accounts.urls import urlpatterns as account_urls
from webapp.api.views import api
from webapp.leaderboards.views import board, board_csv, board_json
from webapp.ops.views import device_list
from webapp.outage import health
from webapp.problems.views import problem_list, problem_page
from webapp.profiles.views import profile
from webapp.submissions.submit_page import submit_page
from webapp.submissions.views import (
    run_abort,
    run_code,
    run_diff,
    run_events,
    run_fragment,
    run_list,
    run_page,
    run_publication,
    run_source,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("problems/", problem_list, name="problems"),
    path("problems/<slug:slug>/", problem_page, name="problem"),
    path("problems/<slug:slug>/submit/", submit_page, name="submit"),
    path("runs/", run_list, name="runs"),
    path("runs/<uuid:run_id>/", run_page, name="run"),
    path("runs/<uuid:run_id>/fragment/", run_fragment, name="run-fragment"),
    path("runs/<uuid:run_id>/events/", run_events, name="run-events"),
    path("runs/<uuid:run_id>/diff/", run_diff, name="run-diff"),
    path("runs/<uuid:run_id>/code/<slug:kind>/", run_code, name="run-code"),
    path("runs/<uuid:run_id>/abort/", run_abort, name="run-abort"),
    path("runs/<uuid:run_id>/publication/", run_publication, name="run-publication"),
    path("runs/<uuid:run_id>/source/", run_source, name="run-source"),
    path("boards/<slug:slug>/<slug:device>/", board, name="board"),
    path("boards/<slug:slug>/<slug:device>/entries.csv", board_csv, name="board-csv"),
    path("boards/<slug:slug>/<slug:device>/entries.json", board_json, name="board-json"),
    path("people/<str:username>/", profile, name="profile"),
    path("devices/", device_list, name="devices"),
    *account_urls,
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    path("health/", health, name="health"),
]

handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.not_found
handler500 = views.server_error
