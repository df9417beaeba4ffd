/** Errors of dispatches that Signalbox did not send. What responses mean is in `worker/deployment-hooks/outcome.ts`. */

/** The error of a dispatch that a user cancelled. */
export const CANCELLED = { code: 'cancelled', detail: 'The dispatch was cancelled.' }

/** The error of a dispatch that was cancelled because its hook is disabled. */
export const HOOK_DISABLED = { code: 'hook_disabled', detail: 'The hook is disabled.' }

/** The error of a dispatch that was cancelled because the approval that it comes from was revoked. */
export const APPROVAL_REVOKED = { code: 'approval_revoked', detail: 'The approval of its gate was revoked.' }

/** The error of a dispatch whose environment requires an approval that it lacks. */
export const NOT_APPROVED = {
  code: 'not_approved',
  detail:
    'It is not sent: the policy of the environment requires an approved gate (gate_required), and this dispatch comes from none. Open a gate for the environment and have it approved; or let an admin of the organization trigger the hook with an override.',
}

/** The codes of dispatches that cannot be sent again without an approval. */
export const LACKS_APPROVAL = [NOT_APPROVED.code, APPROVAL_REVOKED.code]

/** The error of a dispatch whose rendered body is too large. */
export const PAYLOAD_TOO_LARGE = {
  code: 'payload_too_large',
  detail: 'The body that body_template makes of this event is larger than 1 MiB. Nothing was sent.',
}

/** The error of a dispatch that a newer one of its hook superseded. */
export const SUPERSEDED = { code: 'superseded', detail: 'A newer dispatch of the hook superseded this one.' }

/** The error of a dispatch that was not sent in time. */
export const EXPIRED = { code: 'expired', detail: "The dispatch was older than the hook's max_age_seconds." }

/** The error of a dispatch whose body contains template secrets of another receiver. */
export const OTHER_ORIGIN = {
  code: 'secrets_of_other_origin',
  detail:
    'Nothing was sent: the body contains template secrets that were stored for the former url of the hook, which had another scheme, host or port. Trigger the hook, which makes a new body, or set the url to the former scheme, host and port and redeliver this dispatch.',
}

/** The error of an attempt that was not acknowledged in time. */
export const LEASE_EXPIRED = { code: 'lease_expired', detail: 'The lease ran out before the dispatch was acknowledged.' }
