"""Django's settings. Whatever differs between installations comes from ``webapp.environment``."""

from __future__ import annotations

import secrets
from typing import Any

from csp.constants import NONE, SELF

from webapp import environment as env
from webapp.accounts.github import github_provider

BASE_DIR = env.BASE_DIR

SECRET_KEY = env.text("WARPBOARD_SECRET_KEY") or secrets.token_hex(32)
DEBUG = env.flag("WARPBOARD_DEBUG")
ALLOWED_HOSTS = env.listing("WARPBOARD_ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.listing("WARPBOARD_CSRF_TRUSTED_ORIGINS")

WARPBOARD_INSECURE_COOKIES = env.flag("WARPBOARD_INSECURE_COOKIES")
WARPBOARD_BROKER_URL = env.broker("WARPBOARD_BROKER_URL")
WARPBOARD_SIGNUP = env.flag("WARPBOARD_SIGNUP")
WARPBOARD_MAX_UNFINISHED_RUNS = env.count("WARPBOARD_MAX_UNFINISHED_RUNS")
WARPBOARD_SUBMISSIONS_AN_HOUR = env.count("WARPBOARD_SUBMISSIONS_AN_HOUR")
WARPBOARD_GITHUB_CLIENT_ID = env.text("WARPBOARD_GITHUB_CLIENT_ID")
WARPBOARD_GITHUB_CLIENT_SECRET = env.text("WARPBOARD_GITHUB_CLIENT_SECRET")
WARPBOARD_GITHUB_URL = env.text("WARPBOARD_GITHUB_URL")

INSTALLED_APPS = [
    "webapp.accounts",
    "webapp.ops",
    "webapp.problems",
    "webapp.submissions",
    "webapp.leaderboards",
    "webapp.apps.SiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.admin",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "django_htmx",
    "csp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "webapp.middleware.BodyLimitMiddleware",
    "webapp.middleware.MethodRefusalMiddleware",
    "webapp.static_files.StaticFilesMiddleware",
    "webapp.middleware.CompressionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "webapp.urls"
ASGI_APPLICATION = "webapp.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "webapp" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "webapp.accounts.context.sign_in",
            ],
            "builtins": ["webapp.templatetags.figures"],
        },
    },
]

DATABASES = {"default": env.database("WARPBOARD_DATABASE_URL")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en-gb"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

# Accounts
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "webapp.accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_FORMS = {"signup": "webapp.accounts.forms.SignupForm"}
# An address serves password resets only, so nobody waits for its confirmation.
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Warpboard: "
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ["password"]
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if WARPBOARD_INSECURE_COOKIES else "https"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_SESSION_REMEMBER = True
# Sign-in with GitHub, when an OAuth app is named; see webapp.accounts.github.
SOCIALACCOUNT_QUERY_EMAIL = True
SOCIALACCOUNT_PROVIDERS = github_provider(
    WARPBOARD_GITHUB_CLIENT_ID, WARPBOARD_GITHUB_CLIENT_SECRET, WARPBOARD_GITHUB_URL
)

# E-mail
globals().update(env.email("WARPBOARD_EMAIL_URL"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("WARPBOARD_EMAIL_FROM")

# Cookies and transport
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not WARPBOARD_INSECURE_COOKIES
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
# Sent over HTTPS only; sending plain HTTP there is the proxy's part.
SECURE_HSTS_SECONDS = 31_536_000
# `check --deploy` also asks for redirects, which are the proxy's, and for promises in the name of
# subdomains and browsers' lists, which are not the site's to make.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Nothing inline, nothing from elsewhere.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        # Browsers hold the redirect that answers a form to this, too.
        "form-action": [SELF, *([WARPBOARD_GITHUB_URL] if SOCIALACCOUNT_PROVIDERS else [])],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# Static files: WhiteNoise serves them from the source tree too, so collectstatic is optional.
STATIC_URL = "/static/"
STATIC_ROOT = env.path("WARPBOARD_STATIC_ROOT")
STATICFILES_DIRS = [BASE_DIR / "webapp" / "static"]
WHITENOISE_USE_FINDERS = True

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "webapp": {
            "level": env.choice("WARPBOARD_LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"))
        },
        "django.request": {"level": "ERROR"},
        # One line for every event and every look around would drown the rest.
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}
