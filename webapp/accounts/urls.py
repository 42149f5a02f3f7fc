"""Addresses of accounts: those of allauth that the site has a page for, and tokens."""

from __future__ import annotations

from allauth.account import views as allauth
from allauth.socialaccount import views as social
from allauth.socialaccount.providers.github import views as github_views
from django.urls import path, re_path

from webapp.accounts import views
from webapp.accounts.github import where_on

_GITHUB = "accounts/github"

urlpatterns = [
    path("accounts/login/", allauth.login, name="account_login"),
    path("accounts/logout/", allauth.logout, name="account_logout"),
    path("accounts/signup/", allauth.signup, name="account_signup"),
    path("accounts/inactive/", allauth.account_inactive, name="account_inactive"),
    path("accounts/reauthenticate/", allauth.reauthenticate, name="account_reauthenticate"),
    path("accounts/password/", allauth.password_change, name="account_change_password"),
    path("accounts/password/set/", allauth.password_set, name="account_set_password"),
    path("accounts/password/reset/", allauth.password_reset, name="account_reset_password"),
    path(
        "accounts/password/reset/sent/",
        allauth.password_reset_done,
        name="account_reset_password_done",
    ),
    re_path(
        r"^accounts/password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$",
        allauth.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "accounts/password/reset/done/",
        allauth.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("accounts/email/", allauth.email, name="account_email"),
    path(
        "accounts/email/sent/",
        allauth.email_verification_sent,
        name="account_email_verification_sent",
    ),
    path("accounts/email/confirm/<str:key>/", allauth.confirm_email, name="account_confirm_email"),
    path(f"{_GITHUB}/", where_on(social.connections), name="socialaccount_connections"),
    path(f"{_GITHUB}/signup/", where_on(social.signup), name="socialaccount_signup"),
    path(
        f"{_GITHUB}/cancelled/",
        where_on(social.login_cancelled),
        name="socialaccount_login_cancelled",
    ),
    path(f"{_GITHUB}/error/", where_on(social.login_error), name="socialaccount_login_error"),
    path(f"{_GITHUB}/login/", where_on(github_views.oauth2_login), name="github_login"),
    path(
        f"{_GITHUB}/login/callback/", where_on(github_views.oauth2_callback), name="github_callback"
    ),
    path("accounts/tokens/", views.token_list, name="tokens"),
    path("accounts/tokens/<uuid:token_id>/revoke/", views.token_revoke, name="token-revoke"),
]
