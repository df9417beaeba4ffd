/** Receives the deliveries of GitHub. Each is processed once, in one transaction, without a call to GitHub. */
import { currentApp, forgetApp } from '../../core/github/app.ts'
import { closeRequests } from '../../core/github/requests.ts'
import { idOf, objectIn, repositoryOf, timeOf } from '../../core/github/sent.ts'
import { syncInstallations } from '../../core/jobs/tasks.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Tx } from '../../sql/index.ts'
import { FORM } from '../plugins/body.ts'
import { limitAddress } from '../plugins/rate-limit.ts'
import { contextOf } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { type Delivery, isSigned, payloadIn } from './deliveries.ts'
import { noteDeployment } from './deployments.ts'
import { askedBy, askFor, refuse } from './protection-rules.ts'

const noApp = (): Problem => new Problem('not_found', 'This service has no GitHub App.')

/** @throws Problem `not_found`, `invalid_signature`, `rate_limited` */
async function requireSigned(request: Request): Promise<string> {
  const context = contextOf(request)
  const signature = request.headers.get('x-hub-signature-256')
  const known = await currentApp()
  if (!known) throw noApp()
  if (await isSigned(known, signature, context.bytes)) return known.url
  // Another process may have changed the secret just now.
  forgetApp()
  const app = await currentApp()
  if (!app) throw noApp()
  if (await isSigned(app, signature, context.bytes)) return app.url
  // Not before: all deliveries come from the few addresses of GitHub.
  Object.assign(context.headers, limitAddress(context.address))
  throw new Problem('invalid_signature', 'The delivery is not signed with the webhook secret of the app.')
}

/** The organization that has bound the installation; undefined if none has. */
async function organizationOf(tx: Tx, { installation_id }: Delivery): Promise<string | undefined> {
  const [binding] = await tx<{ organization_id: string }[]>`
    select organization_id from github_bindings where installation_id = ${installation_id}
  `
  return binding?.organization_id
}

/** @returns false if the delivery was processed before, or the organization is deleted */
async function isNew(tx: Tx, organization_id: string, guid: string): Promise<boolean> {
  const recorded = await tx`
    insert into github_deliveries (guid, organization_id)
    select ${guid}, id
    from organizations
    where id = ${organization_id} and deleted_at is null
    on conflict (guid, organization_id) do nothing
  `
  return recorded.count > 0
}

/** Has GitHub asked about an installation: deliveries may come in any order. */
async function sync(tx: Tx, organization_id: string, { installation_id }: Delivery): Promise<void> {
  await syncInstallations(
    tx,
    await tx<{ id: string; organization_id: string }[]>`
      select id, organization_id
      from github_installations
      where organization_id = ${organization_id}
        and installation_id = ${installation_id}
        and unbound_at is null
    `,
  )
}

/** A run has ended: its environments do not wait any more. One that was started again since then does. */
async function closeRun(tx: Tx, organization_id: string, { payload }: Delivery): Promise<void> {
  const { id, updated_at } = objectIn(payload.workflow_run)
  const [run_id, repository, at] = [idOf(id), repositoryOf(payload), timeOf(updated_at)]
  if (run_id === null || !repository) return
  await closeRequests(
    tx,
    organization_id,
    sql`
      request.repository_id = ${repository.id}
      and request.run_id = ${run_id}
      -- GitHub writes whole seconds.
      and request.opened_at < coalesce(${at}::timestamptz, now()) + interval '1 second'
    `,
    'its workflow run has ended',
  )
}

/** The events whose effects are more than an acknowledgement. */
const isProtectionRule = ({ event, action }: Delivery): boolean =>
  event === 'deployment_protection_rule' && action === 'requested'

async function apply(tx: Tx, organization_id: string, delivery: Delivery): Promise<void> {
  const { event, action } = delivery
  if (isProtectionRule(delivery)) {
    const asked = askedBy(delivery)
    if (asked) await askFor(tx, organization_id, delivery, asked)
  } else if (event === 'deployment_status' && action === 'created') await noteDeployment(tx, organization_id, delivery)
  else if (event === 'workflow_run' && action === 'completed') await closeRun(tx, organization_id, delivery)
  else if (event.startsWith('installation') || event === 'repository') await sync(tx, organization_id, delivery)
}

const process = (delivery: Delivery): Promise<void> =>
  transaction(async (tx) => {
    const organization_id = await organizationOf(tx, delivery)
    if (organization_id !== undefined) {
      if (await isNew(tx, organization_id, delivery.guid)) await apply(tx, organization_id, delivery)
      return
    }
    const asked = isProtectionRule(delivery) ? askedBy(delivery) : null
    if (asked) await refuse(tx, delivery, asked)
  })

/**
 * Processes a delivery.
 *
 * @throws Problem `not_found`, `invalid_signature`, `malformed_json`, `malformed_header`
 */
export async function receive(request: Request): Promise<void> {
  const url = await requireSigned(request)
  const { bytes, mediaType } = contextOf(request)
  const payload = payloadIn(bytes, mediaType === FORM)
  if (!payload) throw new Problem('malformed_json', 'The payload is no JSON object.')
  const guid = request.headers.get('x-github-delivery')
  if (!isUuid(guid)) throw new Problem('malformed_header', 'X-GitHub-Delivery must be a UUID.')
  const installation_id = idOf(objectIn(payload.installation).id)
  // Those of the app itself, such as the first ping.
  if (installation_id === null) return
  const event = request.headers.get('x-github-event') ?? ''
  const action = typeof payload.action === 'string' ? payload.action : null
  await process({ url, guid, installation_id, event, action, payload })
}
