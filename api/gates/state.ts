/** The words of pages for gates. */
import type { Gate, Way } from '../../core/gates.ts'

/** How a person decided. */
export const WAY_PHRASES: Record<Way, string> = {
  api: 'through the API',
  app: 'in the app',
  slack: 'in Slack',
  mail: 'by the mailed link',
}

type Times = Pick<Gate, 'status' | 'expires_at'>

/** Pending, and not past its expiry, which a worker may not have recorded yet. */
export const isOpen = ({ status, expires_at }: Times): boolean =>
  status === 'pending' && (expires_at === null || Date.parse(expires_at) > Date.now())

/** The state of a gate now. */
export const stateOf = (gate: Times): string => (gate.status === 'pending' && !isOpen(gate) ? 'expired' : gate.status)
