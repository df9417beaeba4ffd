/** Detects when a command has to stop: by a signal, or because the program that launched it has ended. */
import { commandOf, isRunning, parentOf } from './process-table.js'

// Between npx and this process are a shell and `bun run`.
const MAX_LAUNCHERS = 3

/** Aborts on the first signal, and when a launcher has ended without forwarding one. Later signals have no effect. */
export function stopSignal() {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort())
  const pids = launchers()
  const timer = setInterval(() => {
    if (!pids.every(isRunning)) stopping.abort()
  }, 500)
  timer.unref()
  return stopping.signal
}

// `bun run` forwards signals, but not SIGKILL; npx ends its shell and forwards none. Processes above them, such as a login
// shell with nohup, may end without stopping the command.
function launchers() {
  if (!process.env.npm_lifecycle_event) return []
  /** @type {number[]} */
  const above = []
  for (let pid = process.ppid; pid && above.length < MAX_LAUNCHERS; pid = parentOf(pid)) {
    above.push(pid)
    if (/^(npm|npx) |\/(npm|npx)(-cli\.js)? /.test(commandOf(pid))) return above
  }
  return above.slice(0, 1)
}
