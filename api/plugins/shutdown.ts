/** Graceful shutdown: requests in progress finish, and new requests are rejected. */
import { Problem } from '../problems.ts'

/** Paths about this process, served until it exits. */
const PROCESS_PATHS = new Set(['/livez', '/metrics'])

let isShuttingDown = false

/** Starts rejecting new requests. */
export function startShutdown(): void {
  isShuttingDown = true
}

/** @throws Problem `shutting_down` while the process shuts down */
export function rejectDuringShutdown(request: Request): void {
  if (!isShuttingDown || PROCESS_PATHS.has(new URL(request.url).pathname)) return
  throw new Problem(
    'shutting_down',
    'This process is shutting down. Retry now; another process will serve the request.',
    undefined,
    {
      'Retry-After': '1',
      // The retry must use a new connection to reach another process.
      Connection: 'close',
    },
  )
}
