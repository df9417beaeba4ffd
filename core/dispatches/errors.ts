/** Errors of dispatches that Signalbox did not send. What responses mean is in `worker/deployment-hooks/outcome.ts`. */

export const CANCELLED = { code: 'cancelled', detail: 'The dispatch was cancelled.' }
export const HOOK_DISABLED = { code: 'hook_disabled', detail: 'The hook is disabled.' }
export const APPROVAL_REVOKED = { code: 'approval_revoked', detail: 'The approval of its gate was revoked.' }

export const NOT_APPROVED = {
  code: 'not_approved',
  detail:
    'It is not sent: the policy of the environment requires an approved gate (gate_required), and this dispatch comes from none. Open a gate for the environment and have it approved; or let an admin of the organization trigger the hook with an override.',
}

export const NOT_PROMOTED = {
  code: 'not_promoted',
  detail:
    'It is not sent: what was approved does not run in the environment before (promotes_from). It failed there, or the environment was rolled back. Roll it out there again, then open another gate.',
}

export const LACKS_APPROVAL = [NOT_APPROVED.code, APPROVAL_REVOKED.code, NOT_PROMOTED.code]

export const PAYLOAD_TOO_LARGE = {
  code: 'payload_too_large',
  detail: 'The body that body_template makes of this event is larger than 1 MiB. Nothing was sent.',
}

export const SUPERSEDED = { code: 'superseded', detail: 'A newer dispatch of the hook superseded this one.' }
export const EXPIRED = { code: 'expired', detail: "The dispatch was older than the hook's max_age_seconds." }

export const OTHER_ORIGIN = {
  code: 'secrets_of_other_origin',
  detail:
    'Nothing was sent: the body contains template secrets that were stored for the former url of the hook, which had another scheme, host or port. Trigger the hook, which makes a new body, or set the url to the former scheme, host and port and redeliver this dispatch.',
}

export const LEASE_EXPIRED = { code: 'lease_expired', detail: 'The lease ran out before the dispatch was acknowledged.' }
