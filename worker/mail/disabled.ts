/** mail_hook_disabled and mail_channel_disabled: mails to the admins of a workspace. */
import { mailEach, type NoticeTask, type Tasks } from '../../core/jobs/tasks.ts'
import { whoLacks, withheldText } from '../../core/notifications/withheld.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { pageUrl } from '../../core/tenants/links.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { workspaceAdmins } from '../notifications/recipients.ts'
import { button, mailHtml, paragraph } from './html.tsx'
import { sendMail } from './transport.ts'

/** A hook or channel that was disabled. */
interface Disabled {
  organization_id: string
  workspace_id: string
  name: string
  /** The name of its project or workspace. */
  inside: string
  reason: string
  updated_at: string
}

interface AdminNotice extends Pick<Disabled, 'organization_id'> {
  /** Null: to the admins of the organization. */
  workspace_id: string | null
  /** Identifies the notice, also in retries. */
  key: string
  subject: string
  /** Paragraphs; the address of the page, and others, on lines of their own. */
  text: string
  /** Of the page of what it is about. */
  url: string
  action: string
  /** Whether it is also for who lacks what the organization requires: it is about that. */
  isForAll?: boolean
}

/** The notice as HTML, with a button instead of the address of the page. */
function htmlOf({ subject, text, url, action }: AdminNotice, name: string): string {
  const parts = text.split('\n\n').flatMap((each) => {
    const words = each.replace(url, '').trim()
    return [words !== '' && paragraph(words), each.includes(url) && button(url, action)]
  })
  return mailHtml(subject, subject, 'bad', [paragraph(`Hello ${name},`), ...parts])
}

/** The admins of the workspace with a verified address; only one of them if `user_id` is given. */
const adminsOf = ({ organization_id, workspace_id }: AdminNotice, user_id: string | null) => sql<
  { id: string; name: string; email: string; organization_name: string }[]
>`
  select
    people.id, people.name, people.email,
    (select name from organizations where id = ${organization_id}) as organization_name
  from (values (${organization_id}::uuid, ${workspace_id}::uuid)) as scope (organization_id, workspace_id)
  cross join lateral (${workspaceAdmins}) as admin
  join people on people.id = admin.user_id
  where people.email_verified
    and (${user_id}::uuid is null or people.id = ${user_id})
`

/** The notice for an admin, without its content if they lack what the organization requires. */
async function noticeFor(admin: { id: string; organization_name: string }, notice: AdminNotice): Promise<AdminNotice> {
  if (notice.isForAll) return notice
  const recipient = { user_id: admin.id, organization_id: notice.organization_id }
  const [lack = null] = await whoLacks(sql, [recipient])
  if (lack === null) return notice
  const { title, body } = withheldText(admin.organization_name, lack)
  return { ...notice, subject: title, text: `${body}\n\n${notice.url}\n` }
}

/** The first job adds a job for each admin, so that each mail is retried separately. @param payload with a `user_id`: only to that user */
export async function mailAdmins<Task extends NoticeTask>(notice: AdminNotice, task: Task, payload: Tasks[Task]): Promise<void> {
  const admins = await adminsOf(notice, payload.user_id ?? null)
  const ids = admins.map(({ id }) => id)
  if (payload.user_id === undefined) return mailEach(sql, task, payload, `${task}:${notice.key}`, ids)
  const [admin] = admins
  if (!admin) return // no longer an admin
  const shown = await noticeFor(admin, notice)
  const name = line(admin.name, 120)
  await sendMail({
    to: { name: admin.name, address: admin.email },
    subject: shown.subject,
    text: `Hello ${name},\n\n${shown.text}`,
    html: htmlOf(shown, name),
    messageId: `<${notice.key}.${admin.id}@${new URL(config.PUBLIC_URL).hostname}>`,
  })
}

const nameOf = (name: string): string => unlinked(line(name, 120))

/** Mails the admins of the hook's workspace, or one of them. Does nothing if the hook was enabled again. */
export async function mailHookDisabled(payload: Tasks['mail_hook_disabled']): Promise<void> {
  const { organization_id, hook_id } = payload
  const [hook] = await sql<(Disabled & { url: string; last_error: string | null })[]>`
    select
      hook.organization_id, hook.workspace_id, hook.name, project.name as inside, hook.url,
      hook.disabled_reason as reason, hook.updated_at,
      (
        select attempt.error ->> 'detail'
        from (
          select id
          from dispatches
          where hook_id = hook.id and organization_id = ${organization_id}
          order by created_at desc, id desc
          limit 100
        ) as dispatch
        join dispatch_attempts as attempt
          on attempt.dispatch_id = dispatch.id
          and attempt.organization_id = ${organization_id}
        where attempt.error is not null
        order by attempt.started_at desc
        limit 1
      ) as last_error
    from deployment_hooks as hook
    join projects as project on project.id = hook.project_id and project.organization_id = ${organization_id}
    where hook.id = ${hook_id}
      and hook.organization_id = ${organization_id}
      and not hook.enabled
      and hook.disabled_reason is not null
  `
  if (!hook) return
  const name = nameOf(hook.name)
  const url = pageUrl('deployment_hook', hook_id) ?? ''
  const notice = {
    ...hook,
    url,
    action: 'View the hook',
    key: `${hook_id}.${Date.parse(hook.updated_at)}`,
    subject: `Deployment hook "${name}" was disabled`,
    text: `Signalbox disabled the deployment hook "${name}" of the project "${nameOf(hook.inside)}".

Reason: ${hook.reason}
Last attempt: ${hook.last_error ?? 'not recorded'}
Receiver: ${new URL(hook.url).origin}

Its pending dispatches were cancelled. When the receiver works again, enable the hook and resend the failed dispatches:
${url}

Explanations of the errors: ${config.PUBLIC_URL}/docs/receivers
`,
  }
  await mailAdmins(notice, 'mail_hook_disabled', payload)
}

/** Mails the admins of the channel's workspace, or one of them. Does nothing if the channel was enabled again. */
export async function mailChannelDisabled(payload: Tasks['mail_channel_disabled']): Promise<void> {
  const { organization_id, channel_id } = payload
  const [channel] = await sql<(Disabled & { channel_type: string })[]>`
    select
      channel.organization_id, channel.workspace_id, channel.name, channel.channel_type, workspace.name as inside,
      channel.disabled_reason as reason, channel.updated_at
    from notification_channels as channel
    join workspaces as workspace
      on workspace.id = channel.workspace_id
      and workspace.organization_id = channel.organization_id
    where channel.id = ${channel_id}
      and channel.organization_id = ${organization_id}
      and not channel.enabled
      and channel.disabled_reason is not null
  `
  if (!channel) return
  const name = nameOf(channel.name)
  const url = pageUrl('notification_channel', channel_id) ?? ''
  const notice = {
    ...channel,
    url,
    action: 'View the channel',
    key: `${channel_id}.${Date.parse(channel.updated_at)}`,
    subject: `Notification channel "${name}" was disabled`,
    text: `Signalbox disabled the ${channel.channel_type} channel "${name}" of the workspace "${nameOf(channel.inside)}".

Reason: ${channel.reason}

Its pending messages were cancelled. Its log shows what went wrong. Fix that, test the channel, and enable it again:
${url}
`,
  }
  await mailAdmins(notice, 'mail_channel_disabled', payload)
}
