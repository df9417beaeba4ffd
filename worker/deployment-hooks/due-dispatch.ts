/** What the requests of a hook are made from. */
import type { SignedDispatch, SigningHook } from '../../core/dispatches/request-headers.ts'
import type { DatabaseClock } from '../../core/platform/clock.ts'
import type { Mask } from '../../core/security/masking.ts'

/** A hook with its secrets decrypted; it must not leave this process. */
export interface DecryptedHook extends SigningHook {
  id: string
  organization_id: string
  url: string
  /** When this url was set. */
  target_since: string
  clock: DatabaseClock
  /** Removes all secrets from responses. */
  mask: Mask
  /** Whether it succeeded recently and has not failed since. Another success then need not be recorded. */
  isHealthy: boolean
}

export interface DueDispatch extends SignedDispatch {
  workspace_id: string
  project_id: string
  /** When it expires; null if it does not. */
  expires_at: string | null
  /** Removes also the secrets of its body from responses; null if those of the hook are all. */
  mask: Mask | null
  /** The only origin that its body may be sent to; null if it contains no template secrets. */
  origin: string | null
  max_attempts: number
  request_id: string | null
  traceparent: string | null
}
