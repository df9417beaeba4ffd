/** Preloaded, on Bun or Node: makes this process one of a user without a name, as `docker run --user 54321` does. Needs root. */
process.setgroups?.([])
process.setgid?.(54_321)
process.setuid?.(54_321)
