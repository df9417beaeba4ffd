/** Long work is done in pieces, so that the process does other things in between. */

/** Resolves in the next turn of the event loop: whatever waited for the thread has run by then. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
