"""Settings of all tests: how many examples Hypothesis tries, and from which seed."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "ci", derandomize=True, deadline=None, max_examples=20, suppress_health_check=_SLOW
)
settings.register_profile("dev", deadline=None, max_examples=20, suppress_health_check=_SLOW)
settings.register_profile("thorough", deadline=None, max_examples=1000, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
