/** Every sweep: work that no event triggers. One worker at a time runs each. */
import { config } from '../core/platform/config.ts'
import { sealAuditLogs } from './audit-logs/seal.ts'
import { expireGates, remindOfGates, remindOfReviews } from './gates/due.ts'
import { redeliverMissed } from './github/redeliver.ts'
import { queueLateEvents } from './outbox/late-events.ts'
import { terminateStuckSessions, wakeStranded } from './process/stranded.ts'
import type { Sweep } from './process/sweeper.ts'
import { promoteDue } from './promotions/sweep.ts'
import { cancelExpired, endLeases, removeForgotten } from './pull-hooks/sweep.ts'
import { markUnknown, updateFigures } from './rollouts/sweep.ts'
import { markOffline } from './runtimes/mark-offline.ts'
import { checkDomains } from './sso/check-domains.ts'

export const SWEEPS: Sweep[] = [
  // It reads past all drained events that a vacuum could not remove yet.
  { name: 'late_events', everyMs: 500, rest: 20, handler: queueLateEvents },
  { name: 'audit_log_seals', everyMs: 1_000, handler: sealAuditLogs },
  { name: 'gate_reminders', everyMs: 1_000, handler: remindOfGates },
  { name: 'expired_gates', everyMs: 1_000, handler: expireGates },
  { name: 'gate_reviews', everyMs: 5_000, handler: remindOfReviews },
  { name: 'promotions', everyMs: 1_000, handler: promoteDue },
  { name: 'overdue_leases', everyMs: 1_000, handler: endLeases },
  { name: 'offline_runtimes', everyMs: 2_000, handler: markOffline },
  { name: 'unknown_rollouts', everyMs: 2_000, handler: markUnknown },
  { name: 'environment_figures', everyMs: 2_000, handler: updateFigures },
  { name: 'expired_pull_dispatches', everyMs: 5_000, handler: cancelExpired },
  { name: 'forgotten_hooks', everyMs: 5_000, handler: removeForgotten },
  { name: 'sso_domains', everyMs: 5_000, handler: checkDomains },
  { name: 'stuck_sessions', everyMs: 5_000, handler: terminateStuckSessions },
  { name: 'github_deliveries', everyMs: config.GITHUB_REDELIVER_SECONDS * 1000, handler: redeliverMissed },
  { name: 'stranded_work', everyMs: 30_000, handler: wakeStranded },
]
