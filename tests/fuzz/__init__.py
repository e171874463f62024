"""Every parser, import and command with inputs nobody would type: refused in words or followed, never anything else."""
