import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const anyChannel = () => bench.channel('webhook', { url: bench.receiver().url })
const post = (channel: { id: string }, body: object) =>
  bench.admin.post(`/api/v1/notification-channels/${channel.id}/subscriptions`, body)

describe('a subscription', () => {
  test('can be created, listed and deleted', async () => {
    const [channel, project] = await Promise.all([anyChannel(), bench.project()])
    const { status, body, headers } = await post(channel, { event_pattern: 'gate.*', filter_project_id: project.id })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      channel_id: channel.id,
      event_pattern: 'gate.*',
      filter_project_id: project.id,
      created_at: expect.any(String),
    })
    const path = `/api/v1/workspaces/${bench.site.workspace.id}/subscriptions/${body.id}`
    expect(headers.get('location')).toBe(path)
    const other = await bench.subscribe(channel, '*')
    expect((await bench.admin.get(`/api/v1/notification-channels/${channel.id}/subscriptions`)).body).toEqual([other, body])
    expect((await bench.admin.delete(path, { 'If-Match': '"another-version"' })).status).toBe(412)
    expect((await bench.admin.delete(path, { 'If-Match': headers.get('etag') ?? '' })).status).toBe(204)
    expect((await bench.admin.delete(path)).status).toBe(404)
    const entries = await bench.box.sql<{ action: string }[]>`
      select action from audit_log_entries where resource_id = ${body.id} order by created_at, id
    `
    expect(entries.map(({ action }) => action)).toEqual(['subscription.created', 'subscription.deleted'])
  })

  test.each([
    '*',
    'gate.*',
    'gate.pending',
    'execution.*',
    'deployment.*',
    'deployment.failed',
    'workflow.*',
    'hook.disabled',
    'channel.*',
  ])('accepts the pattern %s', async (event_pattern) => {
    expect((await post(await anyChannel(), { event_pattern })).status).toBe(201)
  })

  test.each([
    '',
    'gate',
    'gate.',
    'gat.*',
    'gate.*.*',
    '**',
    '*.pending',
    'Gate.*',
    'gate.opened',
    'test.ping',
    'test.*',
    'manual.trigger',
    'gate.pending.*',
    ' *',
  ])('refuses the pattern "%s"', async (event_pattern) => {
    const { status, body } = await post(await anyChannel(), { event_pattern })
    expect([status, body.errors[0].pointer]).toEqual([422, '/event_pattern'])
  })

  test('cannot be created twice, with or without a project', async () => {
    const [channel, project] = await Promise.all([anyChannel(), bench.project()])
    for (const filter_project_id of [null, project.id]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => post(channel, { event_pattern: '*', filter_project_id })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
      expect(answers.find(({ status }) => status === 409)?.body.code).toBe('already_exists')
    }
  })

  test('refuses projects of other workspaces, of strangers, and unknown ones', async () => {
    const channel = await anyChannel()
    const workspace = await bench.admin.make(`/api/v1/organizations/${bench.site.organization.id}/workspaces`, { name: 'Other' })
    const near = await bench.admin.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Near' })
    const far = await bench.box.site(await bench.box.user('Grace Hopper'))
    for (const filter_project_id of [near.id, far.project.id, crypto.randomUUID()]) {
      const { status, body } = await post(channel, { event_pattern: '*', filter_project_id })
      expect([status, body.errors]).toEqual([
        422,
        [{ pointer: '/filter_project_id', code: 'unknown', detail: 'is not a project of this workspace' }],
      ])
    }
  })

  test('is deleted with its project', async () => {
    const [channel, project] = await Promise.all([anyChannel(), bench.project()])
    await bench.subscribe(channel, '*', project)
    const kept = await bench.subscribe(channel, 'gate.*')
    expect((await bench.admin.delete(`/api/v1/projects/${project.id}`)).status).toBe(204)
    expect((await bench.admin.get(`/api/v1/notification-channels/${channel.id}/subscriptions`)).body).toEqual([kept])
  })

  test('is limited to 100 per channel', async () => {
    const channel = await anyChannel()
    await bench.box.sql`
      insert into projects (organization_id, workspace_id, name, created_by)
      select ${bench.site.organization.id}, ${bench.site.workspace.id}, 'Filler', ${bench.admin.id}
      from generate_series(1, 99)
    `
    await bench.box.sql`
      insert into subscriptions (organization_id, workspace_id, channel_id, event_pattern, filter_project_id, created_by)
      select organization_id, workspace_id, ${channel.id}, '*', id, ${bench.admin.id} from projects where name = 'Filler'
    `
    const answers = await Promise.all(['*', 'gate.*', 'execution.*'].map((event_pattern) => post(channel, { event_pattern })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('subscription_limit_reached')
  })
})

describe('an event', () => {
  test('reaches each subscribed channel once, and no other', async () => {
    const [project, elsewhere] = await Promise.all([bench.project(), bench.project('Elsewhere')])
    const [threeMatches, exactMatch, otherProject, otherEvent, disabled] = await Promise.all(
      Array.from({ length: 5 }, anyChannel),
    )
    await bench.subscribe(threeMatches, '*', project)
    await bench.subscribe(threeMatches, 'gate.*', project)
    await bench.subscribe(threeMatches, 'gate.pending', project)
    await bench.subscribe(exactMatch, 'gate.pending', project)
    await bench.subscribe(otherProject, '*', elsewhere)
    await bench.subscribe(otherEvent, 'execution.failed', project)
    await bench.subscribe(disabled, '*', project)
    await bench.admin.put(`${bench.path}/${disabled.id}`, { enabled: false })
    await bench.openGate(project)
    const entries = await bench.logged(
      threeMatches,
      (found) => found.length === 2 && found.every(({ status }) => status === 'succeeded'),
    )
    expect(entries.map(({ event }) => event)).toEqual(['gate.pending', 'execution.started'])
    expect((await bench.settled(exactMatch)).event_id).toBe(entries[0].event_id)
    await bench.box.settled()
    for (const channel of [otherProject, otherEvent, disabled]) expect(await bench.log(channel)).toEqual([])
  })

  test('of the organization reaches every workspace, except subscriptions to one project', async () => {
    const { organization } = bench.site
    const workspace = await bench.admin.make(`/api/v1/organizations/${organization.id}/workspaces`, { name: 'Second' })
    const here = await anyChannel()
    const filtered = await anyChannel()
    const there = await bench.admin.make(`/api/v1/workspaces/${workspace.id}/notification-channels`, {
      name: 'There',
      channel_type: 'webhook',
      config: { url: bench.receiver().url },
    })
    await bench.subscribe(here, 'gate.*')
    await bench.subscribe(there, 'gate.*')
    await bench.subscribe(filtered, 'gate.*', await bench.project())
    const stranger = await bench.box.user('Grace Hopper')
    const foreignSite = await bench.box.site(stranger)
    const receiver = bench.receiver()
    const foreign = await stranger.make(`/api/v1/workspaces/${foreignSite.workspace.id}/notification-channels`, {
      name: 'Foreign',
      channel_type: 'webhook',
      config: { url: receiver.url },
    })
    await stranger.make(`/api/v1/notification-channels/${foreign.id}/subscriptions`, { event_pattern: '*' })
    // An event without workspace and project; its name does not matter here.
    await bench.box.sql`
      insert into outbox (organization_id, name, data)
      values (${organization.id}, 'gate.pending', '{"gate": {"name": "For all"}}')
    `
    for (const channel of [here, there]) expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded' })
    expect(await bench.log(filtered)).toEqual([])
    expect(receiver.requests).toEqual([])
  })
})

describe('a waiting message', () => {
  /** A channel with a project subscription, whose receiver asks to wait for ten minutes. */
  async function channelWithRetry() {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('no', { status: 503, headers: { 'Retry-After': '600' } })
    const [channel, project] = await Promise.all([bench.channel('webhook', { url: receiver.url }), bench.project()])
    const subscription = await bench.subscribe(channel, 'gate.*', project)
    return { channel, project, subscription }
  }
  const remove = (subscription: { id: string }) =>
    bench.admin.delete(`/api/v1/workspaces/${bench.site.workspace.id}/subscriptions/${subscription.id}`)

  test('is cancelled with the last subscription that matches it', async () => {
    const { channel, project, subscription } = await channelWithRetry()
    const wide = await bench.subscribe(channel, 'gate.pending')
    await bench.openGate(project)
    expect(await bench.tried(channel)).toMatchObject({ status: 'pending' })
    expect((await remove(subscription)).status).toBe(204)
    expect(await bench.tried(channel)).toMatchObject({ status: 'pending' })
    expect((await remove(wide)).status).toBe(204)
    expect(await bench.tried(channel)).toMatchObject({ status: 'cancelled', error: { code: 'unsubscribed' } })
  })

  test('is cancelled when the project of its subscription is deleted', async () => {
    const { channel, project } = await channelWithRetry()
    await bench.openGate(project)
    await bench.tried(channel)
    expect((await bench.admin.delete(`/api/v1/projects/${project.id}`)).status).toBe(204)
    expect(await bench.tried(channel)).toMatchObject({ status: 'cancelled', error: { code: 'unsubscribed' } })
  })

  test('is cancelled when the channel is disabled, and deleted with the channel', async () => {
    const { channel, project } = await channelWithRetry()
    await bench.openGate(project)
    await bench.tried(channel)
    expect((await bench.admin.put(`${bench.path}/${channel.id}`, { enabled: false })).status).toBe(200)
    expect(await bench.tried(channel)).toMatchObject({ status: 'cancelled', error: { code: 'channel_disabled' } })
    await bench.admin.put(`${bench.path}/${channel.id}`, { enabled: true })
    await bench.openGate(project)
    await bench.logged(channel, (found) => found.length === 2 && found[0].attempt_count === 1)
    expect((await bench.admin.delete(`${bench.path}/${channel.id}`)).status).toBe(204)
    expect(await bench.box.sql`select from channel_messages where channel_id = ${channel.id}`).toHaveLength(0)
    expect(await bench.box.sql`select from subscriptions where channel_id = ${channel.id}`).toHaveLength(0)
  })

  test('is deleted with its workspace', async () => {
    const owner = await bench.box.user('Grace Hopper')
    const site = await bench.box.site(owner)
    const receiver = bench.receiver()
    receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '600' } })
    const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
    for (const name of ['One', 'Two']) {
      const channel = await owner.make(path, { name, channel_type: 'webhook', config: { url: receiver.url } })
      await owner.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, {
        event_pattern: '*',
        filter_project_id: site.project.id,
      })
    }
    await bench.box.running(owner, site.project.id)
    await receiver.waitFor(2)
    expect((await owner.delete(`/api/v1/workspaces/${site.workspace.id}`)).status).toBe(204)
    const left = await bench.box.sql`
      select 1 from channel_messages where workspace_id = ${site.workspace.id}
      union all
      select 1 from subscriptions where workspace_id = ${site.workspace.id}
    `
    expect(left).toHaveLength(0)
  })
})

describe('the log', () => {
  test('is paginated with a link header', async () => {
    const channel = await anyChannel()
    for (let number = 0; number < 3; number++) await bench.tested(channel)
    const path = `/api/v1/notification-channels/${channel.id}/logs`
    const all = await bench.log(channel)
    expect(all).toHaveLength(3)
    const { body, headers } = await bench.admin.get(`${path}?limit=2`)
    expect(body).toEqual(all.slice(0, 2))
    const [, next = ''] = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    expect((await bench.admin.get(next)).body).toEqual(all.slice(2))
    for (const limit of ['0', '201', 'x']) expect((await bench.admin.get(`${path}?limit=${limit}`)).status).toBe(422)
  })
})
