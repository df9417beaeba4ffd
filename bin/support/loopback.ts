/** Explains why hooks cannot reach a receiver on this machine. */
import { Refusal } from './api-client.ts'
import { Failure } from './failure.ts'

/** Whether the API refused a url because `OUTBOUND_ALLOW` does not include loopback. */
export const isLoopbackBlocked = (error: unknown): boolean =>
  error instanceof Refusal && (error.problem.errors?.some(({ code }) => code === 'blocked_address') ?? false)

export const loopbackBlocked = (): Failure =>
  new Failure(
    'This Signalbox sends nothing to 127.0.0.1, where the receiver of this command listens.\n' +
      'Start it with OUTBOUND_ALLOW=127.0.0.0/8,::1/128, or stop it: the command then starts one of its own.',
  )
