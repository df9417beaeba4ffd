/** Checks the records of verified domains again. A domain whose record is missing three times in a row has lapsed. */
import { addJob } from '../../core/jobs/tasks.ts'
import { domainRecord, textRecords, Unanswered } from '../../core/outbound/text-records.ts'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'

const BATCH = 20
const MISSES = 3
/** How soon a query is repeated that was not answered. */
const RETRY_SECONDS = 600

interface Due {
  id: string
  domain: string
  token: string
  organization_id: string
}

/** Takes domains that are due: another worker does not take them for a while. */
const takeDue = () => sql<Due[]>`
  update sso_domains
  set check_at = now() + ${Math.min(RETRY_SECONDS, config.SSO_DOMAIN_SECONDS)} * interval '1 second'
  where id = any(array(
    select id from sso_domains where check_at <= now() order by check_at limit ${BATCH} for update skip locked
  ))
  returning id, domain, token, organization_id
`

async function isThere({ domain, token }: Due): Promise<boolean | null> {
  const { name, value } = domainRecord(domain, token)
  try {
    return (await textRecords(name)).includes(value)
  } catch (error) {
    if (error instanceof Unanswered) return null
    throw error
  }
}

async function note(tx: Tx, { id, domain, token, organization_id }: Due, found: boolean): Promise<void> {
  const [claimed] = await tx<{ status: string }[]>`
    update sso_domains
    set checked_at = now(),
        missed = case when ${found} then 0 else missed + 1 end,
        status = case when ${found} or missed + 1 < ${MISSES} then status else 'lapsed' end,
        check_at = case
          when ${found} or missed + 1 < ${MISSES} then now() + ${config.SSO_DOMAIN_SECONDS} * interval '1 second'
        end
    where organization_id = ${organization_id}
      and id = ${id}
      and token = ${token}
      and status = 'verified'
    returning status
  `
  if (claimed?.status !== 'lapsed') return
  await record(
    tx,
    SYSTEM,
    { organization_id, workspace_id: null, project_id: null },
    {
      action: 'sso_domain.lapsed',
      resource_type: 'sso_domain',
      resource_id: id,
      detail: `The domain ${domain} has lapsed: its TXT record was missing three times.`,
    },
  )
  await addJob(tx, 'mail_sso_notice', { organization_id, about: 'lapsed', subject_id: id })
}

/** Queries that are not answered change nothing. */
export async function checkDomains(): Promise<void> {
  for (let taken = BATCH; taken === BATCH; ) {
    const due = await takeDue()
    taken = due.length
    const results = await Promise.all(due.map(async (each) => ({ each, found: await isThere(each) })))
    const answered = results.flatMap(({ each, found }) => (found === null ? [] : [{ each, found }]))
    await Promise.all(answered.map(({ each, found }) => transaction((tx) => note(tx, each, found))))
  }
}
