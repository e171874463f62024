"""The wire: a small Discord on loopback, to which the unchanged bot connects.

simcord (PyPI) has the model of Discord: servers, permissions, messages, threads, interactions, error codes. It has no
wire, so HTTP and gateway are here. No other package has them: what PyPI offers either drives the real service or knows
one endpoint.
"""
