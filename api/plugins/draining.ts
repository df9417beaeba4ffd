/** The end of a process: what it has begun it finishes, and new requests go elsewhere. */
import { Problem } from '../problems.ts'

/** These are about this process, so it answers them for as long as it lives. */
const OF_THE_PROCESS = new Set(['/livez', '/metrics'])

let draining = false

/** From now on new requests are rejected. */
export function startDraining(): void {
  draining = true
}

/** @throws Problem `shutting_down` while the process drains */
export function requireServing(request: Request): void {
  if (!draining || OF_THE_PROCESS.has(new URL(request.url).pathname)) return
  throw new Problem('shutting_down', 'This process is shutting down. Try again at once: another one answers.', undefined, {
    'Retry-After': '1',
    // The next request of this client needs another connection to reach another process.
    Connection: 'close',
  })
}
