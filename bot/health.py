"""The health file: written each minute while the bot is connected, so that a supervisor sees by its age how it is."""

import json
import os
from datetime import datetime
from pathlib import Path


def write(path: Path, now: datetime, latency: float, owed: int) -> None:
    """Writes the file anew, whole at any moment. `latency`: of the gateway; `owed`: channels that wait for posts."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps({"at": now.isoformat(), "latency": round(latency, 3), "channels_owed": owed}) + "\n")
    os.replace(part, path)
