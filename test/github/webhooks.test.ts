import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { GithubBench } from './workbench.ts'

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

interface Sending {
  secret?: string
  guid?: string
  event?: string
  form?: boolean
  signature?: string
}

/** Sends a delivery as GitHub does. */
function deliver(
  payload: object | string,
  { secret, guid = crypto.randomUUID(), event = 'ping', form, signature }: Sending = {},
) {
  const json = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const body = form ? new URLSearchParams({ payload: json }).toString() : json
  const key = secret ?? bench.app.webhookSecret ?? ''
  return bench.box.request('POST', '/github/webhooks', body, {
    'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json',
    'X-GitHub-Event': event,
    'X-GitHub-Delivery': guid,
    'X-Hub-Signature-256': signature ?? `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  })
}

/** A delivery that GitHub has made of a run, without sending it. */
async function asked(environment = 'production', { isKept = false } = {}) {
  const { github } = bench
  const { project, repository } = await bench.linked({ environment })
  github.webhooks.pause()
  github.startRun(repository, { environment })
  const delivery = github.webhooks.of('deployment_protection_rule').at(-1)
  if (!delivery) throw new Error('No delivery')
  const payload = JSON.parse(delivery.payload)
  if (!isKept) github.webhooks.resume()
  return { project, repository, payload, guid: delivery.guid }
}

describe('A delivery', () => {
  test('is taken if GitHub has signed it, as JSON or as a form', async () => {
    expect((await deliver({ zen: 'Keep it logically awesome.' })).status).toBe(202)
    expect((await deliver({ zen: 'Keep it logically awesome.' }, { form: true })).status).toBe(202)
  })

  test('is refused with another signature, before it is read', async () => {
    for (const signature of ['', 'sha256=', `sha256=${'0'.repeat(64)}`, 'sha1=abc'])
      expect(await deliver('nonsense', { signature })).toMatchObject({ status: 401, body: { code: 'invalid_signature' } })
    expect(await deliver({}, { secret: 'another' })).toMatchObject({ status: 401 })
  })

  test('is refused if it is no JSON object, or has no id', async () => {
    for (const body of ['nonsense', '[]', '1', 'null']) expect(await deliver(body)).toMatchObject({ status: 400 })
    expect(await deliver({}, { guid: 'none' })).toMatchObject({ status: 400, body: { code: 'malformed_header' } })
    expect(await deliver({ text: 'x'.repeat(1_100_000) })).toMatchObject({ status: 413 })
  })

  test('of any other event, or of something odd, changes nothing', async () => {
    const installation = { id: bench.installation.id }
    for (const event of ['push', 'deployment_protection_rule', 'deployment_status', 'workflow_run', 'installation', 'repository'])
      for (const payload of [{}, { action: 'requested' }, { action: 'created' }, { action: 'completed', workflow_run: 1 }])
        expect((await deliver({ installation, ...payload }, { event })).status).toBe(202)
    const nested = { installation, action: 'created', deployment: null, deployment_status: [], repository: 'x' }
    expect((await deliver(nested, { event: 'deployment_status' })).status).toBe(202)
  })

  test('counts once', async () => {
    const { project, payload, guid } = await asked()
    await bench.gateOf(project.id)
    await bench.github.settled()
    expect((await deliver(payload, { event: 'deployment_protection_rule', guid })).status).toBe(202)
    const [request] = await bench.box.sql`select jobs from github_requests where project_id = ${project.id}`
    expect(request?.jobs).toBe(1)
    const [recorded] = await bench.box.sql`select count(*)::integer as count from github_deliveries where guid = ${guid}`
    expect(recorded?.count).toBe(1)
  })

  test('of an unknown installation, whose run waits, is answered as rejected', async () => {
    const { github, octocat } = bench
    const stray = github.createOrganization('stray', { owners: [octocat] })
    github.install(bench.app, stray)
    const repository = github.createRepository(stray, 'shop')
    github.protect(repository, 'production', bench.app)
    const run = github.startRun(repository, { environment: 'production' })
    await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
    expect(run.gate('production').comment).toContain('not connected to an organization')
  })

  test('of a repository that no project is linked to is answered as rejected', async () => {
    const { github } = bench
    const repository = github.createRepository(bench.acme, 'unlinked')
    github.protect(repository, 'production', bench.app)
    const run = github.startRun(repository, { environment: 'production' })
    await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  })

  test('of an environment with a long name is answered as rejected', async () => {
    const { github } = bench
    const name = 'e'.repeat(65)
    const { project, repository } = await bench.linked({ environment: name })
    const run = github.startRun(repository, { environment: name })
    await github.until(() => run.gate(name).state === 'rejected', 'the rejection')
    expect(run.gate(name).comment).toContain('at most 64 characters')
    expect(await bench.gates(project.id)).toEqual([])
  })

  test('never makes a call to what it names', async () => {
    const { project, payload } = await asked('production', { isKept: true })
    const calls = bench.github.calls.length
    payload.deployment_callback_url = `${bench.github.url}/evil/actions/runs/77/deployment_protection_rule`
    const guid = crypto.randomUUID()
    expect((await deliver(payload, { event: 'deployment_protection_rule', guid })).status).toBe(202)
    await bench.box.until('the request is served', async () => bench.github.calls.length > calls)
    expect(bench.github.calls.slice(calls).every(({ path }) => !path.includes('evil'))).toBe(true)
    const [request] = await bench.box.sql`select run_id from github_requests where project_id = ${project.id}`
    expect(Number(request?.run_id)).toBe(77)
    bench.github.webhooks.resume()
    await bench.github.settled()
  })
})

test('A rotated secret signs, and the one before for 24 hours more', async () => {
  const { github, admin, box } = bench
  const before = bench.app.webhookSecret ?? ''
  expect((await admin.post('/api/v1/github-app/rotate-webhook-secret')).status).toBe(200)
  expect(bench.app.webhookSecret).not.toBe(before)
  expect((await deliver({}, { secret: before })).status).toBe(202)
  expect((await deliver({})).status).toBe(202)
  await box.sql`update github_apps set previous_until = now()`
  await box.until('the old secret verifies no more', async () => (await deliver({}, { secret: before })).status === 401)
  expect((await deliver({})).status).toBe(202)
  expect(github.callsOf('PATCH /app/hook/config').at(-1)?.body).toMatchObject({ content_type: 'json' })
})

test('A delivery that did not arrive is asked for again', async () => {
  const { github, box } = bench
  const { project, repository } = await bench.linked()
  const secret = bench.app.webhookSecret
  bench.app.webhookSecret = 'unknown'
  const run = github.startRun(repository, { environment: 'production' })
  await github.until(() => github.webhooks.of('deployment_protection_rule').at(-1)?.statusCode === 401, 'the refusal')
  bench.app.webhookSecret = secret
  // Those that are young may still arrive.
  github.clock.advance({ seconds: 11 })
  await box.until('the gate', async () => (await bench.gates(project.id)).length === 1)
  expect(run.status).toBe('waiting')
  const sent = github.webhooks.of('deployment_protection_rule').filter(({ repositoryId }) => repositoryId === repository.id)
  expect(sent.map(({ isRedelivery }) => isRedelivery)).toEqual([false, true])
})
