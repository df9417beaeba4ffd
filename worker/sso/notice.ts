/** mail_sso_notice: mails to the owner and the admins of an organization about its single sign-on. */
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { mailAdmins } from '../mail/disabled.ts'

const nameOf = (name: string): string => unlinked(line(name, 120))

async function textOf({ organization_id, about, subject_id }: Tasks['mail_sso_notice'], organization: string) {
  if (about === 'lapsed') {
    const [claimed] = await sql<{ domain: string }[]>`
      select domain
      from sso_domains
      where organization_id = ${organization_id}
        and id = ${subject_id}
        and status = 'lapsed'
    `
    if (!claimed) return null
    const domain = unlinked(claimed.domain)
    return {
      subject: `A domain of ${organization} is not proven any more`,
      what: `${domain} has no TXT record of ${organization} any more. People with an address there cannot sign in with the provider of ${organization} until it is verified again.`,
    }
  }
  const [owner] = await sql<{ name: string }[]>`select name from people where id = ${subject_id}`
  return {
    subject: `The settings of single sign-on of ${organization} were opened`,
    what: `${nameOf(owner?.name ?? 'The owner')}, the owner, opened the settings of single sign-on with a second factor, without having signed on with the provider. The audit log shows what was changed.`,
  }
}

/** Mails all of them, or one of them. Does nothing if the domain was verified again. */
export async function mailSsoNotice(payload: Tasks['mail_sso_notice']): Promise<void> {
  const { organization_id, subject_id, about } = payload
  const [organization] = await sql<{ name: string }[]>`
    select name from organizations where id = ${organization_id} and deleted_at is null
  `
  const text = organization && (await textOf(payload, nameOf(organization.name)))
  if (!text) return
  const url = `${config.PUBLIC_URL}/app/organizations/${organization_id}/sso`
  const notice = {
    organization_id,
    workspace_id: null,
    key: `sso-${about}-${subject_id}`,
    subject: text.subject,
    text: `${text.what}\n\n${url}\n`,
    url,
    action: 'Open single sign-on',
    isForAll: true,
  }
  await mailAdmins(notice, 'mail_sso_notice', payload)
}
