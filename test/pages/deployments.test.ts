/** What the pages say about deployments: their outcome first, whose change they are, and what can be done. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { factOf, noticeOf, rowsOf, stateOf } from '../support/page-parts.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

let bench: RolloutWorkbench
let visitor: PageClient

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
  visitor = await PageClient.signedIn(bench.box, bench.admin)
})
afterAll(() => bench.close())

const openDispatch = ({ id }: Body): Promise<Visit> => visitor.open(`/app/dispatches/${id}`)
const openHook = ({ id }: Body, query = ''): Promise<Visit> => visitor.open(`/app/deployment-hooks/${id}${query}`)
const openTab = ({ id }: Body, tab: string): Promise<Visit> => visitor.open(`/app/projects/${id}/${tab}`)
const openEnvironment = ({ id }: Body, name: string, query = ''): Promise<Visit> =>
  visitor.open(`/app/projects/${id}/environment?name=${encodeURIComponent(name)}${query}`)

const sectionOf = ({ document }: Visit, title: string): Element | undefined =>
  [...document.querySelectorAll('main section')].find((each) => each.querySelector('h2')?.firstChild?.textContent === title)
const stepsOf = (page: Visit) =>
  [...(sectionOf(page, 'Rollout')?.querySelectorAll('.timeline li .pill') ?? [])].map((each) => each.textContent)

/** A hook whose receiver refuses all. */
async function refused(input: object = {}): Promise<{ project: Body; hook: Body }> {
  const { project, hook, receiver } = await bench.reporting(input)
  receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
  return { project, hook }
}

describe('The page of a dispatch tells the outcome that counts', () => {
  test('of the deployment first, then of the delivery', async () => {
    const { hook } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    const waiting = await openDispatch(dispatch)
    expect([stateOf(waiting), noticeOf(waiting, 'good')]).toEqual(['waiting for a report', undefined])
    await bench.report(dispatch, { state: 'failed', version: 'v2' })
    const failed = await openDispatch(dispatch)
    expect([stateOf(failed), noticeOf(failed, 'bad'), noticeOf(failed, 'good')]).toEqual([
      'failed',
      'The deployment of v2 to production failed.',
      undefined,
    ])
    expect(failed.text).toContain('Delivery: The receiver accepted it with 200, at attempt 1 of 3.')
    const good = await openDispatch(await bench.rolledOut(hook, { state: 'succeeded', version: 'v3' }))
    expect([stateOf(good), noticeOf(good, 'good')]).toEqual(['succeeded', 'v3 is deployed to production.'])
  })

  test('when it was not delivered, and its timeline that it was given up', async () => {
    const { hook } = await refused()
    const page = await openDispatch(await bench.triggered(hook))
    expect(stateOf(page)).toBe('not delivered')
    expect(noticeOf(page, 'bad')).toContain('Not delivered: nothing was deployed to production')
    expect(page.text).toContain('Delivery: The receiver answered 500')
    expect(stepsOf(page)).toEqual(['Dispatched', 'Given up'])
  })

  test('with seconds in a timeline whose steps fell into one minute', async () => {
    const { hook } = await bench.reporting()
    const { id, created_at } = await bench.rolledOut(hook, { state: 'succeeded' })
    // Before what else happened to it.
    const before = new Date(Date.parse(created_at) - 60_000)
    const minute = `${before.toISOString().slice(0, 16)}:`
    const dayText = before.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
    await bench.box.sql`
      update dispatches set created_at = ${`${minute}01Z`}, completed_at = ${`${minute}02Z`} where id = ${id}
    `
    const times = (page: Visit) =>
      [...(sectionOf(page, 'Rollout')?.querySelectorAll('.timeline time') ?? [])].map((time) => [
        time.textContent,
        time.getAttribute('data-exact'),
      ])
    const at = (second: string) => [`${dayText}, ${minute.slice(11)}${second} UTC`, 'seconds']
    expect(times(await openDispatch({ id })).slice(0, 2)).toEqual([at('01'), at('02')])
  })
})

test('A dispatch says whose change it is, and a decided gate what it sent, with its state', async () => {
  const { project, hook } = await bench.reporting()
  const { id: gate_id } = await bench.approve(project)
  const dispatch = await bench.settled(hook)
  const { gate, execution, requirement } = JSON.parse(dispatch.payload).data
  expect(gate.id).toBe(gate_id)
  const links = (page: Visit) =>
    [...(sectionOf(page, 'Change')?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
  const origin = [`/app/gates/${gate.id}`, `/app/requirements/${requirement.id}`, `/app/executions/${execution.id}`]
  expect(links(await openDispatch(dispatch))).toEqual(origin)

  await bench.report(dispatch, { state: 'failed', version: 'v2' })
  const page = await visitor.open(`/app/gates/${gate.id}`)
  const section = sectionOf(page, 'What it sent')
  expect(section?.querySelector('a')?.getAttribute('href')).toBe(`/app/dispatches/${dispatch.id}`)
  expect(rowsOf(page, 'What it sent')[0]?.slice(0, 3)).toEqual(['Deploy', 'failed', 'production · v2'])

  // A redelivery is of the same change, and of the person who asked for it.
  const { body: again } = await bench.act(dispatch, 'redeliver', { Prefer: 'wait=20' })
  const second = await openDispatch(again)
  expect(links(second)).toEqual(origin)
  expect(sectionOf(second, 'Change')?.textContent).toContain(`Requested by${bench.admin.name}`)
  expect(rowsOf(await visitor.open(`/app/gates/${gate.id}`), 'What it sent')).toHaveLength(2)
})

test('The page of an environment says who approved what runs there, by which gate, and that it was revoked', async () => {
  const { project, hook } = await bench.reporting()
  const { id } = await bench.approve(project)
  const dispatch = await bench.settled(hook)
  await bench.report(dispatch, { state: 'succeeded', version: 'v2' })
  const page = await openEnvironment(project, 'production')
  const running = sectionOf(page, 'What runs')
  expect(factOf(page, 'Approved by')?.textContent).toStartWith(`${bench.admin.name}, `)
  expect(running?.querySelector(`a[href="/app/gates/${id}"] + .pill`)?.textContent).toBe('approved')
  expect((await openDispatch(dispatch)).document.querySelector('h1')?.textContent).toBe('v2 to production')

  await bench.admin.post(`/api/v1/gates/${id}/revoke`, { reason: 'Wrong version' })
  const revoked = sectionOf(await openEnvironment(project, 'production'), 'What runs')
  expect(revoked?.querySelector(`a[href="/app/gates/${id}"] + .pill`)?.textContent).toBe('revoked')
})

test('An approved gate says why it has sent nothing', async () => {
  const { project } = await bench.reporting({ environment: 'staging', filter: { '/data/gate/name': 'Release' } })
  const sent = async ({ id: project_id }: Body, environment: string) => {
    const { id } = await bench.admin.make(`/api/v1/projects/${project_id}/gates`, { name: 'Review', environment })
    await bench.admin.make(`/api/v1/gates/${id}/approve`, {})
    return sectionOf(await visitor.open(`/app/gates/${id}`), 'What it sent')?.querySelector('.empty')?.textContent
  }
  expect(await sent(project, 'production')).toBe(
    'No enabled hook for “production” is called when a gate is approved. There are hooks for “staging”, but the gate is for “production”.',
  )
  expect(await sent(project, 'staging')).toBe('The filter of “Deploy” leaves it out.')
  expect(await sent(await bench.project(), 'staging')).toBe('No enabled hook of the project is called when a gate is approved.')
})

test('A dispatch of a completed workflow links its executions and requirements, and says who approved it', async () => {
  const { project, hook } = await bench.reporting({ trigger_on: 'workflow_done' })
  const execution = await bench.box.running(bench.admin, project.id)
  const gate = await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release' })
  await bench.admin.post(`/api/v1/gates/${gate.id}/approve`, {})
  await bench.admin.post(`/api/v1/executions/${execution.id}/complete`, {})
  const page = await openDispatch(await bench.settled(hook))
  const links = [...(sectionOf(page, 'Change')?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
  expect(links).toEqual([
    `/app/gates/${gate.id}`,
    `/app/requirements/${execution.requirement_id}`,
    `/app/executions/${execution.id}`,
  ])
  expect(factOf(page, 'Approved by')?.textContent).toStartWith(`${bench.admin.name}, `)
})

describe('What was not delivered', () => {
  test('is shown by the list of hooks, by the environments of the project, and on the page of the environment', async () => {
    const { project, hook, receiver } = await bench.reporting()
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
    const hookRow = async () => rowsOf(await openTab(project, 'deployment-hooks'), 'Hooks')[0]?.[4]
    expect(await hookRow()).toStartWith('succeeded v1')
    receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
    const lost = await bench.triggered(hook)
    expect(await hookRow()).toStartWith('not delivered')
    const [row] = rowsOf(await openTab(project, 'environments'), 'Environments')
    expect(row?.slice(1, 3)).toEqual(['not delivered', 'runs v1'])

    const page = await openEnvironment(project, 'production')
    expect([page.status, stateOf(page)]).toEqual([200, 'not delivered'])
    expect(noticeOf(page, 'bad')).toContain('The last deployment was not delivered')
    expect(noticeOf(page, 'bad')).toContain('The last that succeeded is v1.')
    expect(rowsOf(page, 'History').map((row) => row.slice(0, 3))).toEqual([
      ['No version reported', 'not delivered', 'Deploy'],
      ['v1', 'succeeded', 'Deploy'],
    ])
    expect(page.document.querySelector(`main a[href="/app/dispatches/${lost.id}"]`)).not.toBeNull()
  })

  test('is found by the filter of the list of dispatches', async () => {
    const { hook } = await refused()
    await bench.triggered(hook)
    const page = await openHook(hook, '?rollout=not_delivered')
    expect(rowsOf(page, 'Dispatches')[0]?.slice(1, 3)).toEqual(['failed', 'not delivered'])
    expect((await openHook(hook, '?rollout=failed')).text).toContain('No dispatch matches.')
  })
})

test('The page of an environment has its whole history in parts, whatever its name is; of an unknown one there is none', async () => {
  const { project, hook } = await bench.reporting({ environment: '..' })
  await bench.rolledOut(hook, { state: 'succeeded', version: 'v0' })
  await bench.box.sql`
    insert into rollouts (
      id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, reported_at
    )
    select
      uuidv7(), organization_id, workspace_id, project_id, hook_id, environment, event, event_at, 'failed',
      reported_at - number * interval '1 hour'
    from rollouts
    cross join generate_series(1, 29) as number
    where project_id = ${project.id}
  `
  await bench.box.sql`update environments set rollout_count = 30 where project_id = ${project.id}`
  const first = await openEnvironment(project, '..')
  expect(rowsOf(first, 'History')).toHaveLength(25)
  const older = first.document.querySelector('.pager a[rel=next]')?.getAttribute('href') ?? ''
  expect(rowsOf(await visitor.open(older), 'History')).toHaveLength(5)
  expect((await openEnvironment(project, 'unknown')).status).toBe(404)
  expect((await visitor.open(`/app/projects/${project.id}/environment`)).status).toBe(404)
})

test('Rolling back offers the versions that ran, by environment, and fills the form', async () => {
  const { project, hook } = await bench.reporting()
  for (const version of ['v1', 'v2', 'v1', 'v3']) await bench.rolledOut(hook, { state: 'succeeded', version })
  await bench.rolledOut(hook, { state: 'failed', version: 'v4' })
  const page = await visitor.open(`/app/projects/${project.id}/rollback`)
  expect(rowsOf(page, 'Versions that ran').map(([version, , environment]) => [version, environment])).toEqual([
    ['v3', 'production runs now'],
    ['v1', 'production'],
    ['v2', 'production'],
  ])
  const link = page.document.querySelector('ul[aria-label="Versions that ran"] > li:nth-child(2) a')
  const chosen = await visitor.open(link?.getAttribute('href') ?? '')
  const value = (name: string) => chosen.document.querySelector(`input[name=${name}]`)?.getAttribute('value')
  expect([value('target_version'), value('environment')]).toEqual(['v1', 'production'])
  expect(rowsOf(chosen, 'Hooks')[0]?.[0]).toBe('Deploy')
  const done = await visitor.press(chosen, 'Roll back through 1 hook')
  expect(done.text).toContain('A rollback to v1 was requested. Sent to 1 hook.')
})

test('The page of an environment says why it was rolled back', async () => {
  const { project } = await bench.reporting()
  const back = { target_version: 'v1', reason: 'Cards fail', environment: 'production' }
  const { dispatches } = (
    await bench.admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, back, { Prefer: 'wait=20' })
  ).body
  await bench.report(dispatches[0], { state: 'succeeded', version: 'v1' })
  const request = `${bench.admin.name} requested a rollback to v1, sent to 1 deployment hook: Cards fail`
  expect(factOf(await openEnvironment(project, 'production'), 'Request')?.textContent).toBe(request)
  expect(factOf(await openDispatch(dispatches[0]), 'Request')?.textContent).toBe(request)
})

test('A hook is triggered, and recovers what failed, by buttons of its page', async () => {
  const { hook, receiver } = await bench.reporting()
  receiver.answer = () => new Response('', { status: 500, headers: { 'X-Signalbox-Control': 'stop' } })
  const sent = await visitor.press(await openHook(hook), 'Trigger')
  expect([sent.path.startsWith('/app/dispatches/'), stateOf(sent)]).toEqual([true, 'not delivered'])
  expect(sent.text).toContain('The hook was triggered.')
  receiver.answer = () => new Response('ok')
  const recovered = await visitor.press(await openHook(hook), 'Recover')
  expect(recovered.text).toContain('1 dispatch is sent again.')
  await bench.dispatches(hook, (all) => all.length === 2 && all.every(({ status }) => status !== 'pending'))
  expect((await visitor.press(await openHook(hook), 'Recover')).text).toContain('There was nothing to send again.')
  await bench.change(hook, { enabled: false })
  const disabled = await openHook(hook)
  const names = [...disabled.document.querySelectorAll('main form[method=post] button')].map((each) => each.textContent)
  expect([names.includes('Trigger'), names.includes('Recover')]).toEqual([false, false])
})
