/** The overview of a project: the track, the figures, and what happened. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { rowsOf } from '../support/page-parts.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

let bench: RolloutWorkbench
let visitor: PageClient

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
  visitor = await PageClient.signedIn(bench.box, bench.admin)
})
afterAll(() => bench.close())

const openProject = ({ id }: Body): Promise<Visit> => visitor.open(`/app/projects/${id}`)
const wordsOf = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()

/** The stops of the track: what each is, and what it says. */
const trackOf = ({ document }: Visit): [kind: string, text: string][] =>
  [...document.querySelectorAll('ol.track[role=list][aria-label="What runs where"] > li')].map((stop) => [
    stop.getAttribute('class')?.split(' ')[0] ?? '',
    [...stop.children].map(wordsOf).join(', '),
  ])

const freeze = ({ id }: Body, environment: string, from: number, until: number) =>
  bench.admin.put(`/api/v1/projects/${id}/environments/${environment}/policy`, {
    freezes: [
      { name: 'Launch', from: new Date(Date.now() + from * 1000), until: new Date(Date.now() + until * 1000) },
      { name: 'Next year', from: new Date(Date.now() + 1e10), until: new Date(Date.now() + 2e10) },
    ],
  })

describe('The track', () => {
  test('has the environments by name, production last, with what runs there and the outcome of the last rollout', async () => {
    const { project, hook } = await bench.reporting()
    for (const environment of ['staging', 'preview', 'zone']) {
      const { id } = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
        name: 'Deploy',
        url: 'http://127.0.0.1:9/',
        trigger_on: 'gate_approved',
        environment,
        ...(environment !== 'zone' && { report_within_seconds: 60 }),
      })
      expect(id).toBeString()
    }
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
    const failed = await bench.rolledOut(hook, { state: 'failed', version: 'v2' })
    const page = await openProject(project)
    expect(trackOf(page)).toEqual([
      ['station', 'In work, No agent at work'],
      ['station', 'preview, Nothing yet'],
      ['station', 'staging, Nothing yet'],
      ['station', 'zone, Not reported'],
      ['station', 'production, v1, just now, failed v2 just now'],
    ])
    expect(page.document.querySelector(`.track li.bad a[href="/app/dispatches/${failed.id}"]`)?.textContent).toBe('v2')
    const href = page.document.querySelector('.track li:last-child a')?.getAttribute('href') ?? ''
    expect((await visitor.open(href)).document.querySelector('h1')?.textContent).toBe('production')
    // A hook without reports has no history, but its environment may have a policy.
    const zone = page.document.querySelector('.track li:nth-child(4) a')?.getAttribute('href') ?? ''
    expect((await visitor.open(zone)).status).toBe(200)
  })

  test('is broken where a gate waits or a freeze holds, and says why', async () => {
    const { project } = await bench.reporting()
    const open = (name: string, input: object) => bench.admin.make(`/api/v1/projects/${project.id}/gates`, { name, ...input })
    const gate = await open('Release 1.6.0', { environment: 'production', required_approvals: 2 })
    await open('Release 1.7.0', { environment: 'production' })
    await open('Any', {})
    await freeze(project, 'production', -60, 3600)
    const [, any, production, station] = trackOf(await openProject(project))
    expect(any).toEqual(['signal', 'Any, needs you, 0 of 1 approval'])
    expect(production?.[0]).toBe('signal')
    expect(production?.[1]).toStartWith('Release 1.6.0, needs you, 0 of 2 approvals · 1 more, Frozen until ')
    expect(production?.[1]).toEndWith(': Launch')
    expect(station).toEqual(['station', 'production, Nothing yet'])

    const { body } = await bench.admin.post(`/api/v1/gates/${gate.id}/approve`, {})
    expect(body.status).toBe('pending')
    const approved = trackOf(await openProject(project))[2]?.[1]
    expect(approved).toStartWith('Release 1.6.0, pending, 1 of 2 approvals')
  })

  test('is broken by a freeze alone, while that holds', async () => {
    const { project } = await bench.reporting()
    await freeze(project, 'production', -60, 3600)
    const [, frozen] = trackOf(await openProject(project))
    expect([frozen?.[0], frozen?.[1]?.startsWith('Frozen, until ')]).toEqual(['signal', true])
    await freeze(project, 'production', 3600, 7200)
    expect(trackOf(await openProject(project)).map(([kind]) => kind)).toEqual(['station', 'station'])
  })

  test('names what is in work, and has room for no environment and for twenty', async () => {
    const project = await bench.project()
    const execution = await bench.box.running(bench.admin, project.id)
    const empty = await openProject(project)
    const [inWork, ...others] = trackOf(empty)
    expect(inWork?.[1]).toMatch(/^In work, 1 agent running, #1 /)
    expect(others).toEqual([])
    expect(empty.text).toContain('Where it is deployed is shown here, once a hook names an environment.')
    expect(rowsOf(empty, 'Agents at work')[0]?.[0]).toStartWith('#1 ')
    await bench.admin.post(`/api/v1/executions/${execution.id}/gates`, { name: 'x'.repeat(200), environment: 'production' })
    await bench.box.sql`
      insert into environment_policies (organization_id, workspace_id, project_id, environment)
      select organization_id, workspace_id, id, repeat('e', 60) || number
      from projects
      cross join generate_series(10, 28) as number
      where id = ${project.id}
    `
    const stops = trackOf(await openProject(project))
    expect(stops[0]?.[1]).toContain('1 agent waiting at a gate')
    expect(stops.map(([kind]) => kind)).toEqual([...Array.from({ length: 20 }, () => 'station'), 'signal', 'station'])
    expect(stops.at(-1)?.[1]).toStartWith('production')
  })
})

test('the figures say how they changed, and nothing where nothing is known', async () => {
  const { project, hook } = await bench.reporting()
  const figures = async () =>
    [...(await openProject(project)).document.querySelectorAll('.figures > div')].map((card) =>
      [...card.querySelectorAll('dt, dd')].map(wordsOf),
    )
  expect(await figures()).toEqual([])
  const earlier = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
  await bench.box.sql`update rollouts set reported_at = now() - interval '31 days', lead_ms = 60000 where id = ${earlier.id}`
  for (const state of ['succeeded', 'failed', 'succeeded']) await bench.rolledOut(hook, { state, version: 'v2' })
  await bench.box.sql`
    update rollouts set lead_ms = 120000, restore_ms = case when restore_ms is not null then 3600000 end
    where project_id = ${project.id} and id <> ${earlier.id} and state = 'succeeded'
  `
  expect(await figures()).toEqual([
    ['Deployments', '0.07 a day ▲up by 0.03, better than in the 30 days before'],
    ['Change failure rate', '33.3% ▲up by 33.3 points, worse than in the 30 days before'],
    ['Lead time', '2 min ▲up by 1 min, worse than in the 30 days before'],
    ['Time to restore', '1 h'],
  ])
})

test('what happened is shown in words, newest first, with links to what it is about', async () => {
  const { project, hook } = await bench.reporting()
  const dispatch = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
  const gate = await bench.admin.make(`/api/v1/projects/${project.id}/gates`, { name: 'Release' })
  const page = await openProject(project)
  const links = [...page.document.querySelectorAll('#activity .what > a')]
  expect(links.map((link) => link.textContent)).toEqual([
    `${bench.admin.name} opened the gate “Release”`,
    'The deployment of v1 to production succeeded',
    `${bench.admin.name} triggered the deployment hook “Deploy”`,
    `${bench.admin.name} created the deployment hook “Deploy” for production`,
    `${bench.admin.name} created the project`,
  ])
  const paths = links.map((link) => link.getAttribute('href'))
  expect(paths.slice(0, 2)).toEqual([`/app/gates/${gate.id}`, `/app/dispatches/${dispatch.id}`])
})

test('what happened is listed by day', async () => {
  const { project, hook } = await bench.reporting()
  const { id } = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
  await bench.box.sql`update rollouts set reported_at = '2026-03-01T23:59:00Z' where id = ${id}`
  const { document } = await openProject(project)
  const lists = [...document.querySelectorAll('#activity h3')].map((day) => {
    const list = day.nextElementSibling
    const times = [...(list?.querySelectorAll('time') ?? [])].map((time) => time.textContent)
    return [day.textContent, list?.getAttribute('aria-label'), times]
  })
  expect(lists.length).toBeGreaterThan(1)
  expect(lists.at(-1)).toEqual(['Sunday, 1 March 2026', 'Sunday, 1 March 2026', ['23:59']])
})
