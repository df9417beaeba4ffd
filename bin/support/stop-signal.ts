/** Detects when a command has to stop: by a signal, or because the program that launched it has ended. */
import { commandOf, isRunning, parentOf } from './process-table.ts'

// Between npx and this process are a shell and `bun run`.
const MAX_LAUNCHERS = 3

/** Aborts on the first signal, and when a launcher has ended without forwarding one. Later signals have no effect. */
export async function stopSignal(): Promise<AbortSignal> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  const pids = await launchers()
  setInterval(() => {
    if (!pids.every(isRunning)) stopping.abort()
  }, 500).unref()
  return stopping.signal
}

// `bun run` forwards signals, but not SIGKILL; npx ends its shell and forwards none. Processes above them, such as a login
// shell with nohup, may end without stopping the command.
async function launchers(): Promise<number[]> {
  if (!process.env.npm_lifecycle_event) return []
  const above: number[] = []
  for (let pid: number | undefined = process.ppid; pid && above.length < MAX_LAUNCHERS; pid = await parentOf(pid)) {
    above.push(pid)
    if (/^(npm|npx) |\/(npm|npx)(-cli\.js)? /.test((await commandOf(pid)) ?? '')) return above
  }
  return above.slice(0, 1)
}
