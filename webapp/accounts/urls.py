"""Addresses of accounts. Of allauth only what works without e-mail: no password reset by link."""

from __future__ import annotations

from allauth.account import views as allauth
from django.urls import path

from webapp.accounts import views

urlpatterns = [
    path("accounts/login/", allauth.login, name="account_login"),
    path("accounts/logout/", allauth.logout, name="account_logout"),
    path("accounts/signup/", allauth.signup, name="account_signup"),
    path("accounts/inactive/", allauth.account_inactive, name="account_inactive"),
    path("accounts/reauthenticate/", allauth.reauthenticate, name="account_reauthenticate"),
    path("accounts/password/", allauth.password_change, name="account_change_password"),
    path("accounts/tokens/", views.token_list, name="tokens"),
    path("accounts/tokens/<uuid:token_id>/revoke/", views.token_revoke, name="token-revoke"),
]
