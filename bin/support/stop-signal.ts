/** When `bun start` has to stop: told by a signal, or because the command that a person knows it by is gone. */
import { commandOf, lives, parentOf } from './process-table.ts'

// npx puts a shell and `bun start` between itself and this process.
const FARTHEST_LAUNCHER = 3

/** Aborts on the first signal, and when a launcher ended without passing one on; later signals change nothing. */
export async function stopSignal(): Promise<AbortSignal> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  const pids = await launchers()
  setInterval(() => {
    if (!pids.every(lives)) stopping.abort()
  }, 500).unref()
  return stopping.signal
}

// `bun start` forwards signals, but cannot when it is killed with -9; npx ends its shell and forwards none to us.
// Whatever is above them, such as a login shell under nohup, may end as it likes.
async function launchers(): Promise<number[]> {
  if (!process.env.npm_lifecycle_event) return []
  const above: number[] = []
  for (let pid: number | undefined = process.ppid; pid && above.length < FARTHEST_LAUNCHER; pid = await parentOf(pid)) {
    above.push(pid)
    if (/^(npm|npx) |\/(npm|npx)(-cli\.js)? /.test((await commandOf(pid)) ?? '')) return above
  }
  return above.slice(0, 1)
}
