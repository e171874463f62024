"""What was not foreseen: a short reference for who met it, under which the log has all of it."""

import logging
import secrets

log = logging.getLogger(__name__)


def noted(error: BaseException, where: str) -> str:
    """Writes an error into the log; gives the reference to tell."""
    reference = secrets.token_hex(4)
    log.error("reference %s: %s", reference, where, exc_info=error)
    return reference
