/** Why a lane could not be served, in the few words that `ops.stranded` shows. */
import { UnreadableSecret } from '../../core/security/secrets.ts'

export type Fault = 'secret_unreadable' | 'delivery_error'

/** Classifies what stopped a lane. The log has the error itself. */
export const faultOf = (error: unknown): Fault => (error instanceof UnreadableSecret ? 'secret_unreadable' : 'delivery_error')
