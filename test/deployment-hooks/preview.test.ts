/** Previews of what a hook would send. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

type Body = Answer['body']

const MASK = '********'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

async function preview(hook: Body, input: object = {}): Promise<Body> {
  const { status, body } = await bench.ask(hook, 'preview', input)
  expect([status, body.errors]).toEqual([200, undefined])
  return body
}

describe('a preview', () => {
  test('shows the request for the newest event, with the secrets and signatures masked', async () => {
    const { project, hook, receiver } = await bench.hooked({
      secret: 'plain',
      headers: { 'X-Key': 'k3y-0f-it' },
      environment: 'staging',
    })
    await bench.approve(project)
    await bench.approve(project)
    await bench.dispatches(hook, (found) => found.length === 2 && found.every(({ status }) => status === 'succeeded'))
    const [, newest] = await bench.dispatches(hook, () => true)
    const sent = receiver.requests.find(({ headers }) => headers['x-signalbox-delivery'] === newest.id)
    const shown = await preview(hook)
    expect(shown).toMatchObject({ method: 'POST', url: hook.url, matches: true, failed_condition: null })
    // The same event as it was sent; only the sequence is the next one.
    expect(shown.body).toBe(sent?.body.replace('"sequence":2', '"sequence":3') as string)
    expect(shown.headers).toEqual({
      ...newest.request_headers,
      'X-Signalbox-Sequence': '3',
      // Of no dispatch: it is the next one.
      'X-Signalbox-Delivery': shown.headers['webhook-id'],
      'webhook-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      traceparent: newest.request_headers.traceparent,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'X-Key': MASK,
      'X-Signalbox-Signature': MASK,
      'webhook-signature': MASK,
    })
    expect((await bench.admin.get(`/api/v1/dispatches/${shown.headers['webhook-id']}`)).status).toBe(404)
  })

  test.each(['workflow.completed', 'gate.approved', 'manual.trigger', 'deployment.rollback', 'test.ping'])(
    'of %s shows a sample that matches the documentation where there is no such event',
    async (event) => {
      const { hook } = await bench.hookTo('http://127.0.0.1:1/', { environment: 'staging' })
      const { body, headers } = await preview(hook, { event })
      const envelope = JSON.parse(body)
      const schema = bench.box.contract.document.webhooks[event]?.post.requestBody?.content['application/json']?.schema ?? {}
      expect(bench.box.contract.faults(schema, envelope)).toBeNull()
      const { organization, workspace } = bench.site
      expect(envelope).toMatchObject({
        event,
        environment: 'staging',
        sequence: event === 'test.ping' ? null : 1,
        hook: { id: hook.id, name: hook.name },
        organization: { id: organization.id, name: organization.name },
        workspace: { id: workspace.id, name: workspace.name },
        project: { id: hook.project_id, name: 'Checkout' },
      })
      expect(headers).toMatchObject({ 'X-Signalbox-Event': event, 'X-Signalbox-Attempt': '1' })
    },
  )

  test('is by default of the event that trigger_on names', async () => {
    for (const [trigger_on, event] of [
      ['gate_approved', 'gate.approved'],
      ['workflow_done', 'workflow.completed'],
    ]) {
      const { hook } = await bench.hookTo('http://127.0.0.1:1/', { trigger_on })
      expect(JSON.parse((await preview(hook)).body).event).toBe(event)
    }
  })

  test("takes the newest rollback of the project, and the hook's own triggers and tests", async () => {
    const { project, hook } = await bench.hooked()
    const { hook: other } = await bench.hookTo('http://127.0.0.1:1/')
    for (const target_version of ['v1', 'v2'])
      await bench.admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version })
    await bench.ask(hook, 'trigger')
    await bench.ask(other, 'trigger')
    expect(JSON.parse((await preview(hook, { event: 'deployment.rollback' })).body).data.target_version).toBe('v2')
    const trigger = JSON.parse((await preview(hook, { event: 'manual.trigger' })).body)
    const { items } = await bench.listed(hook, '?event=manual.trigger')
    const { payload } = await bench.dispatch(items[0].id)
    expect([trigger.id, trigger.data.hook.id]).toEqual([JSON.parse(payload).id, hook.id])
  })

  test('renders the template of the hook or the given one, with secrets masked', async () => {
    const { hook } = await bench.hookTo('http://127.0.0.1:1/', {
      body_template: { token: '{{secret:a}}', text: 'Bearer {{secret:a}} {{/environment}}' },
      template_secrets: { a: 's3cret-0f-it' },
    })
    expect((await preview(hook)).body).toBe(`{"token":"${MASK}","text":"Bearer ${MASK} production"}`)
    expect((await preview(hook, { body_template: ['{{/event}}', '{{secret:a}}'], event: 'test.ping' })).body).toBe(
      `["test.ping","${MASK}"]`,
    )
    expect(JSON.parse((await preview(hook, { body_template: null })).body)).toHaveProperty('sequence', 1)
    for (const body_template of ['{{secret:b}}', '{{event}}']) {
      const { status, body } = await bench.ask(hook, 'preview', { body_template })
      expect([status, body.errors[0].pointer]).toEqual([422, '/body_template'])
    }
    const large = await bench.ask(hook, 'preview', { body_template: Array.from({ length: 2_000 }, () => '{{/data}}') })
    expect([large.status, large.body.errors?.[0]?.code]).toEqual([422, 'payload_too_large'])
  })

  test('says which condition of the filter fails', async () => {
    const filter = { '/environment': 'production', '/data/gate/name': { starts_with: 'Release' }, '/event': 'x' }
    const { hook, project } = await bench.hooked({ filter })
    const execution = await bench.box.running(bench.admin, project.id)
    const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Design' })
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`, {})
    const condition = { starts_with: 'Release' }
    expect(await preview(hook)).toMatchObject({
      matches: false,
      failed_condition: { pointer: '/data/gate/name', condition, value: 'Design' },
      body: expect.stringContaining('"event":"gate.approved"'),
    })
    expect(await preview(hook, { filter: { '/data/none': { exists: true } } })).toMatchObject({
      matches: false,
      failed_condition: { pointer: '/data/none', condition: { exists: true }, value: null },
    })
    for (const input of [{ filter: null }, { filter: {} }, { event: 'test.ping' }, { event: 'deployment.rollback' }])
      expect(await preview(hook, input)).toMatchObject({ matches: true, failed_condition: null })
    const refused = await bench.ask(hook, 'preview', { filter: { '/a': { gte: 'x' } } })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/filter/~1a/gte'])
    expect((await bench.ask(hook, 'preview', { event: 'gate.pending' })).status).toBe(422)
  })

  test('sends and stores nothing', async () => {
    const { hook, receiver } = await bench.hooked()
    const rows = async () => {
      await bench.box.settled()
      return bench.box.sql`
        select
          (select count(*) from outbox) as events, (select count(*) from dispatches) as dispatches,
          (select count(*) from audit_log_entries) as entries,
          (select row_to_json(hook) from deployment_hooks as hook where id = ${hook.id}) as hook,
          (select sequence from lanes where id = ${hook.id}) as sequence
      `
    }
    const before = await rows()
    await preview(hook, { body_template: '{{/event}}', filter: { '/event': 'x' } })
    expect(await rows()).toEqual(before)
    expect(receiver.requests).toHaveLength(0)
  })

  test('is for members of the workspace', async () => {
    const { hook } = await bench.hookTo('http://127.0.0.1:1/')
    const [member, stranger] = await Promise.all([bench.box.user('Grace'), bench.box.user('Mallory')])
    await bench.box.join(member, bench.site, 'member', 'member')
    const path = `/api/v1/deployment-hooks/${hook.id}/preview`
    expect([(await member.post(path, {})).status, (await stranger.post(path, {})).status]).toEqual([200, 404])
  })
})
