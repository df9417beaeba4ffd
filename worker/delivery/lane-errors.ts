/** Error codes of lanes that could not be served, as `ops.stranded` shows them. */
import { UnreadableSecret } from '../../core/security/secrets.ts'

export type LaneErrorCode = 'secret_unreadable' | 'delivery_error'

/** The code of an error that stopped a lane. The log has the error itself. */
export const laneErrorCode = (error: unknown): LaneErrorCode =>
  error instanceof UnreadableSecret ? 'secret_unreadable' : 'delivery_error'
