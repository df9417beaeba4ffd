/** mail_hook_disabled: tells the admins of a workspace that one of their hooks was switched off. */
import { config } from '../../core/config.ts'
import { sql } from '../../core/database.ts'
import { sendMail } from './transport.ts'

interface Told {
  name: string
  email: string
  hook: string
  project: string
  url: string
  reason: string
  /** What was wrong with its last attempt. */
  last: string | null
}

/** Mails everybody who is an admin of the hook's workspace: by that role, or as owner or admin of its organization. */
export async function mailHookDisabled(hook_id: string): Promise<void> {
  const admins = await sql<Told[]>`
    select users.name, users.email, hook.name as hook, project.name as project, hook.url, hook.disabled_reason as reason,
      (
        select error ->> 'detail'
        from dispatches
        where hook_id = hook.id
          and attempt_count > 0
          and error is not null
        order by created_at desc, id desc
        limit 1
      ) as last
    from deployment_hooks as hook
    join projects as project on project.id = hook.project_id
    join organization_members as organization_member on organization_member.organization_id = hook.organization_id
    join users on users.id = organization_member.user_id
    left join workspace_members as workspace_member
      on workspace_member.workspace_id = hook.workspace_id
      and workspace_member.user_id = users.id
    where hook.id = ${hook_id}
      and not hook.enabled
      and hook.disabled_reason is not null
      and users.email_verified
      and (organization_member.role in ('owner', 'admin') or workspace_member.role = 'admin')
  `
  const hook = `${config.PUBLIC_URL}/api/v1/deployment-hooks/${hook_id}`
  for (const admin of admins) {
    await sendMail({
      to: { name: admin.name, address: admin.email },
      subject: `Deployment hook "${admin.hook}" was switched off`,
      text: `Hello ${admin.name},

Signalbox switched off the deployment hook "${admin.hook}" of the project "${admin.project}".

Why: ${admin.reason}
Last attempt: ${admin.last ?? 'not on record'}
Where it went: ${new URL(admin.url).origin}

What waited for it was cancelled. Its history is at
${hook}/dispatches

Once its receiver is well, switch the hook on again, and then send what did not get through:
PUT ${hook} with { "enabled": true }
POST ${hook}/recover with { "since": "..." }
What each error means: ${config.PUBLIC_URL}/docs/receivers
`,
    })
  }
}
