import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ENCRYPTED_COLUMNS } from '../../core/security/secrets.ts'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, Process, type Site, signalbox } from '../support/signalbox.ts'

const [FIRST = '', SECOND = '', OTHER = ''] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'))
const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const IDEMPOTENCY_KEY = { 'Idempotency-Key': 'kept' }

let receiver: Receiver
let box: Box
let ada: Actor
let site: Site
let hook: Answer['body']
let channel: Answer['body']
let firstAnswer: Answer

const hooks = () => `/api/v1/projects/${site.project.id}/deployment-hooks`
const input = (name: string) => ({
  name,
  url: receiver.url,
  trigger_on: 'gate_approved',
  secret: OLD,
  headers: { 'X-Key': 'k-1' },
  body_template: { token: '{{secret:token}}' },
  template_secrets: { token: 't-1' },
})

async function reencrypt(keys: string): Promise<{ code: number; output: string }> {
  const process = new Process('bin/reencrypt.ts', { ...box.environment, SECRETS_KEY: keys })
  const code = await process.exited
  return { code, output: process.lines.join('\n') }
}

async function restart(keys: string): Promise<void> {
  await box.close()
  box = await signalbox({ url: box.url, environment: { SECRETS_KEY: keys } })
  ada = await box.user('Ada')
  await box.join(ada, site, 'admin', 'admin')
}

beforeAll(async () => {
  receiver = new Receiver()
  box = await signalbox({ own: true, workers: 0, environment: { SECRETS_KEY: FIRST } })
  const grace = await box.user('Grace')
  site = await box.site(grace)
  hook = await grace.make(hooks(), input('Old'))
  await grace.make(`/api/v1/deployment-hooks/${hook.id}/rotate-secret`, { overlap_seconds: 3600 })
  await grace.make(`/api/v1/deployment-hooks/${hook.id}/test`)
  hook = (await grace.get(`/api/v1/deployment-hooks/${hook.id}`)).body
  channel = await grace.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Ops',
    channel_type: 'webhook',
    config: { url: receiver.url, secret: OLD },
  })
  firstAnswer = await grace.post(hooks(), input('Kept'), IDEMPOTENCY_KEY)
  ada = grace
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

test('after reencrypting, the new key decrypts everything, the old one can be removed, and no resource has changed', async () => {
  const token = ada.token
  expect(await reencrypt(`${SECOND},${FIRST}`)).toEqual({
    code: 0,
    output: [
      'deployment_hooks.secret: 2 encrypted again',
      'deployment_hooks.previous_secret: 1 encrypted again',
      'deployment_hooks.headers: 2 encrypted again',
      'deployment_hooks.template_secrets: 2 encrypted again',
      'dispatches.encrypted_body: 1 encrypted again',
      'notification_channels.secrets: 1 encrypted again',
      'slack_clicks.response_url: 0 encrypted again',
      'signing_keys.secret: 0 encrypted again',
      'idempotency_keys.response: 1 encrypted again',
      'totp_apps.secret: 0 encrypted again',
      'totp_setups.secret: 0 encrypted again',
      'sso_connections.client_secret: 0 encrypted again',
      'The first key of SECRETS_KEY decrypts everything. The other keys can be removed.',
    ].join('\n'),
  })
  expect((await reencrypt(SECOND)).code).toBe(0)

  await restart(SECOND)
  expect((await ada.get(`/api/v1/deployment-hooks/${hook.id}`)).body.updated_at).toBe(hook.updated_at)
  const inWorkspace = `/api/v1/workspaces/${site.workspace.id}/notification-channels/${channel.id}`
  for (const path of [`/api/v1/deployment-hooks/${hook.id}`, inWorkspace]) {
    const { body } = await ada.post(`${path}/test`, undefined, { Prefer: 'wait=10' })
    expect([path, body.status]).toEqual([path, 'succeeded'])
  }
  expect(receiver.requests[0]?.headers['x-key']).toBe('k-1')
  // One was made before with the old key, the other with the new one.
  const bodies = receiver.requests.filter(({ headers }) => headers['x-key']).map(({ body }) => body)
  expect(bodies).toEqual(['{"token":"t-1"}', '{"token":"t-1"}'])
  const again = await box.request('POST', hooks(), input('Kept'), { ...IDEMPOTENCY_KEY, Authorization: `Bearer ${token}` })
  expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', firstAnswer.body])
})

test('values that no key decrypts are counted and left unchanged', async () => {
  const { code, output } = await reencrypt(OTHER)
  expect(code).toBe(1)
  expect(output).toContain('deployment_hooks.secret: 0 encrypted again, 2 that no key decrypts')
  expect(output).toContain('add the key that encrypted them')
  expect((await reencrypt(SECOND)).code).toBe(0)
})

test('every column with encrypted values is listed', async () => {
  const columns = await box.sql<{ name: string }[]>`
    select table_name || '.' || column_name as name
    from information_schema.columns
    where table_schema = 'public'
      and data_type = 'bytea'
      and column_name !~ '(^|_)(hash|fingerprint|bytes|challenge|credential_id|digest|shown|subject|public_key)$'
      -- A partition has the columns of its table.
      and not exists (select 1 from pg_class where oid = table_name::regclass and relispartition)
    order by name
  `
  const known = Object.entries(ENCRYPTED_COLUMNS).flatMap(([table, names]) => names.map((name) => `${table}.${name}`))
  expect(columns.map(({ name }) => name)).toEqual(known.sort())
})
