/** Service accounts that lose their access while they use it, and what they leave behind. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Machine, makeMachine } from '../support/service-accounts.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let recording: Recording
let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  recording = await recordStatements(await freshDatabase())
  box = await signalbox({ url: recording.url })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
})

const WORKS = ['executions:write', 'gates:open', 'work:read', 'usage:write']

const machineWith = (scopes: string[]): Promise<Machine> => makeMachine(box, ada, site, scopes, { project_id: site.project.id })

const update = async ({ account }: Machine, input: object) =>
  expect((await ada.put(`/api/v1/service-accounts/${account.id}`, input)).status).toBe(200)

/** Sends a request, and resolves when the process has looked in vain for what it waits for. */
async function beginWait(looks: RegExp, send: () => Promise<Answer>): Promise<{ waiting: Promise<Answer> }> {
  const looked = () => recording.statements.filter(({ text }) => looks.test(text.replaceAll(/\s+/g, ' '))).length
  const before = looked()
  const waiting = send()
  await box.until('the request waits', async () => looked() > before)
  return { waiting }
}

/** An execution that the account has created and started, with a gate that it has opened. */
async function gateOf({ caller }: Machine) {
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Pay by invoice' })
  const { id } = await caller.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  const execution = await caller.make(`/api/v1/executions/${id}/start`)
  const gate = await caller.make(`/api/v1/executions/${id}/gates`, { name: 'Release review' })
  return { execution, gate }
}

test('what an account does shows it as the actor, in records, audit entries and events', async () => {
  const machine = await machineWith(WORKS)
  const { execution, gate } = await gateOf(machine)
  const actor = { type: 'service_account', id: machine.account.id, name: 'Release pipeline' }
  expect(execution).toMatchObject({ created_by: actor.id, started_by: actor.id, actor })
  expect(gate).toMatchObject({ created_by: actor.id, actor })
  const { items } = (await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=gate.pending`)).body
  expect(items[0]).toMatchObject({
    actor_type: 'service_account',
    actor_id: actor.id,
    actor_name: actor.name,
    actor,
    resource_id: gate.id,
  })
  const byActor = (await ada.get(`/api/v1/organizations/${site.organization.id}/audit-logs?actor_id=${actor.id}`)).body
  expect(byActor.items.length).toBeGreaterThan(0)
  expect(byActor.items.every((entry: { actor: object }) => Bun.deepEquals(entry.actor, actor))).toBe(true)
  const [event] = await box.sql`select data from outbox where name = 'gate.pending' and actor_id = ${actor.id}`
  expect(event?.data.gate.actor).toEqual(actor)
  // The inbox of the people who decide names it.
  await box.until('the notification', async () => (await ada.get('/api/v1/notifications')).body.total > 0)
  const [note] = (await ada.get('/api/v1/notifications')).body.items
  expect(`${note.title} ${note.body}`).toContain('Release pipeline')
})

test('pages and documents name the account, and not as one of the people', async () => {
  const machine = await machineWith(WORKS)
  const { execution, gate } = await gateOf(machine)
  const visitor = await PageClient.signedIn(box, ada)
  expect((await visitor.open(`/app/gates/${gate.id}`)).text).toContain('Release pipeline opened it')
  expect((await visitor.open('/app')).text).toContain('Release pipeline, just now')
  const page = await visitor.open(`/app/executions/${execution.id}`)
  expect([page.text.match(/by Release pipeline/g)?.length, page.text.includes('former')]).toEqual([3, false])
  const input = { deliverable_type: 'project_summary', requirement_id: execution.requirement_id }
  const path = `/api/v1/projects/${site.project.id}/deliverables/generate`
  const { content } = (await ada.post(path, input, { Prefer: 'wait=20' })).body
  expect(content).toContain('Release pipeline started **claude**')
  expect(content).not.toMatch(/People: .*Release pipeline|Unnamed/)
})

test("what an account opened or started is no person's own", async () => {
  await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy: { prevent_self_approval: true } })
  const { gate } = await gateOf(await machineWith(WORKS))
  expect((await ada.post(`/api/v1/gates/${gate.id}/approve`)).body).toMatchObject({ status: 'approved', decided_by: ada.id })
  const own = await box.running(ada, site.project.id)
  const refused = await ada.make(`/api/v1/executions/${own.id}/gates`, { name: 'Release review' })
  expect((await ada.post(`/api/v1/gates/${refused.id}/approve`)).body.code).toBe('self_approval')
  await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { gate_policy: { prevent_self_approval: false } })
})

test('a gate stays when the account that opened it is deleted, and still names it', async () => {
  const machine = await machineWith(WORKS)
  const { execution, gate } = await gateOf(machine)
  expect((await ada.delete(`/api/v1/service-accounts/${machine.account.id}`)).status).toBe(204)
  expect((await machine.caller.get(`/api/v1/gates/${gate.id}`)).status).toBe(401)
  const approved = (await ada.post(`/api/v1/gates/${gate.id}/approve`)).body
  expect(approved).toMatchObject({ status: 'approved', actor: { id: machine.account.id, name: 'Release pipeline' } })
  expect((await ada.get(`/api/v1/executions/${execution.id}`)).body).toMatchObject({
    status: 'running',
    actor: { name: 'Release pipeline' },
  })
})

test('a disabled account is refused at the next request, and works again when it is enabled', async () => {
  const machine = await machineWith(['work:read'])
  const path = `/api/v1/projects/${site.project.id}`
  await update(machine, { enabled: false })
  expect((await machine.caller.get(path)).body.code).toBe('unauthenticated')
  await update(machine, { enabled: true })
  expect((await machine.caller.get(path)).status).toBe(200)
  await update(machine, { scopes: ['audit:read'] })
  expect((await machine.caller.get(path)).body.code).toBe('insufficient_scope')
})

test('a waiting claim of an account that was disabled gets nothing, and the dispatch waits for others', async () => {
  const machine = await machineWith(['dispatches:claim', 'hooks:trigger'])
  const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Pull',
    mode: 'pull',
    trigger_on: 'gate_approved',
  })
  const path = `/api/v1/deployment-hooks/${hook.id}/claim`
  expect((await machine.caller.post(`/api/v1/deployment-hooks/${hook.id}/trigger`)).status).toBe(202)
  const [claimed] = await machine.caller.make(path, { wait: 20 })
  const done = { outcome: 'succeeded', lease_until: claimed.lease_until }
  expect((await machine.caller.post(`/api/v1/dispatches/${claimed.dispatch.id}/acknowledge`, done)).body.status).toBe('succeeded')
  const { waiting } = await beginWait(/for update of delivery skip locked/, () => machine.caller.post(path, { wait: 20 }))
  await update(machine, { enabled: false })
  await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
  expect((await waiting).body.code).toBe('unauthenticated')
  expect(await ada.make(path, { wait: 20 })).toHaveLength(1)
})

test('an account that waits for a decision, and is disabled meanwhile, does not get it', async () => {
  const machine = await machineWith(WORKS)
  const { gate } = await gateOf(machine)
  const path = `/api/v1/gates/${gate.id}`
  const { waiting } = await beginWait(/from gates as waited where waited.id = any\(/, () =>
    machine.caller.get(path, { Prefer: 'wait=20' }),
  )
  await update(machine, { enabled: false })
  expect((await ada.post(`/api/v1/gates/${gate.id}/approve`)).status).toBe(200)
  expect((await waiting).body.code).toBe('unauthenticated')
})

/** Runs a change of the account while the account's own request waits for a lock, and returns the response to that. */
async function whileItWaits(machine: Machine, change: () => Promise<unknown>) {
  const { execution } = await gateOf(machine)
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = box.sql.begin(async (tx) => {
    await tx`select from executions where id = ${execution.id} for update`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const waiting = machine.caller.post(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 1 })
  await box.until('the request waits', async () => {
    const [found] = await box.sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
    `
    return found !== undefined
  })
  await change()
  release.resolve()
  await holding
  const answer = await waiting
  expect((await ada.get(`/api/v1/executions/${execution.id}`)).body.cost_usd).toBeNull()
  return answer.body.code
}

test('a change that waits for a lock is undone when the account loses its access meanwhile', async () => {
  const machine = await machineWith(WORKS)
  expect(await whileItWaits(machine, () => update(machine, { scopes: ['work:read'] }))).toBe('insufficient_scope')
  await update(machine, { scopes: WORKS })
  const other = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Other' })
  expect(await whileItWaits(machine, () => update(machine, { workspace_id: other.id, project_id: null }))).toBe('not_found')
  await update(machine, { project_id: site.project.id })
  const keys = `/api/v1/service-accounts/${machine.account.id}/keys`
  expect(await whileItWaits(machine, () => ada.delete(`${keys}/${machine.key.id}`))).toBe('unauthenticated')
})

test('an account overrides nothing, whatever it may trigger', async () => {
  const machine = await machineWith(['hooks:trigger'])
  const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Production',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
    environment: 'guarded',
  })
  await ada.put(`/api/v1/projects/${site.project.id}/environments/guarded/policy`, { gate_required: true })
  const path = `/api/v1/deployment-hooks/${hook.id}/trigger`
  expect((await machine.caller.post(path)).body.code).toBe('approval_required')
  const { status, body } = await machine.caller.post(path, { override: { reason: 'The build says so.' } })
  expect([status, body.code]).toEqual([403, 'person_required'])
})
