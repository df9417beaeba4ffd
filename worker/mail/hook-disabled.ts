/** mail_hook_disabled: mails the admins of a workspace that a deployment hook was disabled. */
import type { Tasks } from '../../core/jobs/tasks.ts'
import { pageUrl } from '../../core/links.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { mailAdmins } from './admins.ts'

interface DisabledHook {
  organization_id: string
  workspace_id: string
  name: string
  project: string
  url: string
  reason: string
  updated_at: string
  /** The error of its last attempt. */
  last: string | null
}

/** Mails the admins of the hook's workspace, or one of them. Does nothing if the hook was enabled again. */
export async function mailHookDisabled(payload: Tasks['mail_hook_disabled']): Promise<void> {
  const { organization_id, hook_id } = payload
  const [hook] = await sql<DisabledHook[]>`
    select
      hook.organization_id, hook.workspace_id, hook.name, project.name as project, hook.url,
      hook.disabled_reason as reason, hook.updated_at,
      (
        select attempt.error ->> 'detail'
        from (
          select id
          from dispatches
          where hook_id = hook.id
            and organization_id = ${organization_id}
          order by created_at desc, id desc
          limit 100
        ) as dispatch
        join dispatch_attempts as attempt
          on attempt.dispatch_id = dispatch.id
          and attempt.organization_id = ${organization_id}
        where attempt.error is not null
        order by attempt.started_at desc
        limit 1
      ) as last
    from deployment_hooks as hook
    join projects as project
      on project.id = hook.project_id
      and project.organization_id = ${organization_id}
    where hook.id = ${hook_id}
      and hook.organization_id = ${organization_id}
      and not hook.enabled
      and hook.disabled_reason is not null
  `
  if (!hook) return
  const name = unlinked(line(hook.name, 120))
  const url = pageUrl('deployment_hook', hook_id) ?? ''
  const notice = {
    ...hook,
    url,
    action: 'View the hook',
    key: `${hook_id}.${Date.parse(hook.updated_at)}`,
    subject: `Deployment hook "${name}" was disabled`,
    text: `Signalbox disabled the deployment hook "${name}" of the project "${unlinked(line(hook.project, 120))}".

Reason: ${hook.reason}
Last attempt: ${hook.last ?? 'not recorded'}
Receiver: ${new URL(hook.url).origin}

Its pending dispatches were cancelled. When the receiver works again, enable the hook and resend the failed dispatches:
${url}

Explanations of the errors: ${config.PUBLIC_URL}/docs/receivers
`,
  }
  await mailAdmins(notice, { task: 'mail_hook_disabled', payload })
}
