"""How hard the property tests look: `ci` by default, or what HYPOTHESIS_PROFILE names."""

import os

from hypothesis import HealthCheck, settings

_QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]

# The same examples each time, so that a red build is a change of the code.
settings.register_profile(
    "ci", derandomize=True, deadline=None, suppress_health_check=_QUIET, max_examples=60
)
# New examples each time, and many more of them.
settings.register_profile("thorough", deadline=None, suppress_health_check=_QUIET, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
