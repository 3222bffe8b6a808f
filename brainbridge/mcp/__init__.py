"""The door for agents: a Model Context Protocol server over one brain. Only the `mcp` command imports it.

Inside this package `mcp` is the SDK: imports are absolute.
"""
