"""How messages show what was given."""

from typing import Any


def shown(value: Any, longest: int = 80) -> str:
    """What was given, in one line that is not too long."""
    try:
        text = repr(value)
    except Exception:  # A repr may fail as anything of a user's may, or be nested too deeply.
        text = f"<{type(value).__name__}>"
    return " ".join(text.split())[:longest] if "\n" in text else text[:longest]


def of_state(state: Any) -> str:
    """How messages name the state that they are about, at their end."""
    return f" (state {shown(state)})"


def noted(error: Exception, state: Any, more: str = "") -> None:
    """Notes the state beside what a game's own method has raised, where Python has notes and no message names it."""
    if hasattr(error, "add_note") and of_state(state) not in str(error):
        error.add_note(f"of the state {shown(state)}{more}")
