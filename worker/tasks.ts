/** The handler of every task. */
import type { Task } from 'graphile-worker'
import type { Tasks } from '../core/jobs/tasks.ts'
import { attestGates } from './attestations/attest.ts'
import { generateDeliverable } from './deliverables/generate.ts'
import { compareTracks } from './dual-track/compare.ts'
import { delivery, drain } from './fan-out.ts'
import { refuseGitHubRun } from './github/refuse.ts'
import { syncInstallation } from './github/sync.ts'
import { mailChannelDisabled, mailHookDisabled } from './mail/disabled.ts'
import { mailInvitation, mailPasswordReset, mailVerification } from './mail/link-mail.ts'
import { mailNotification } from './mail/notification.ts'
import { mailSecurityNotice } from './mail/security-notice.ts'
import { answerClick } from './notification-channels/slack/answer.ts'
import { purgeOrganization } from './organizations/purge.ts'
import { isPaused } from './process/pauses.ts'
import { mailSsoNotice } from './sso/notice.ts'
import { forgetExpired } from './upkeep/forget-expired.ts'

const HANDLERS: { [Name in keyof Tasks]: (payload: Tasks[Name]) => Promise<void> } = {
  drain_outbox: () => drain.run('any'),
  dispatch_hook: (lane) => delivery.wake(lane),
  compare_tracks: compareTracks,
  generate_deliverable: generateDeliverable,
  mail_verification: ({ user_id }) => mailVerification(user_id),
  mail_password_reset: ({ reset_id }) => mailPasswordReset(reset_id),
  mail_security_notice: ({ entry_id }) => mailSecurityNotice(entry_id),
  mail_hook_disabled: mailHookDisabled,
  mail_invitation: mailInvitation,
  purge_organization: ({ organization_id }) => purgeOrganization(organization_id),
  deliver_channel: (lane) => delivery.wake(lane),
  mail_channel_disabled: mailChannelDisabled,
  mail_sso_notice: mailSsoNotice,
  mail_notification: ({ notification_id }) => mailNotification(notification_id),
  attest_gates: attestGates,
  answer_slack_click: answerClick,
  serve_github: (lane) => delivery.wake(lane),
  sync_github: syncInstallation,
  refuse_github_run: refuseGitHubRun,
  forget_expired: () => forgetExpired(),
}

/** Jobs are paused by the flag of their task. A job without it, as crontab adds them, is added again with the flag. */
const pausable =
  (task: keyof Tasks, handler: (payload: never) => Promise<void>): Task =>
  async (payload, { job, addJob }) => {
    const flags = Object.keys(job.flags ?? {})
    if (flags.includes(`task:${task}`) || !isPaused(task, null)) return handler(payload as never)
    await addJob(task, payload, {
      flags: [...flags, `task:${task}`],
      priority: job.priority,
      ...(job.key === null ? {} : { jobKey: job.key }),
    })
  }

export const TASKS: Record<string, Task> = Object.fromEntries(
  Object.entries(HANDLERS).map(([task, handler]) => [task, pausable(task as keyof Tasks, handler)]),
)

/** 03:17 UTC: a quiet time, and not the full hour, at which other systems run their jobs. */
export const crontab = '17 3 * * * forget_expired'
