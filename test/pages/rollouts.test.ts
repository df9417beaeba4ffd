/** What the pages show of rollouts and environments, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { factOf, rowsOf } from '../support/page-parts.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

const EVIL = '<img src=x onerror=alert(1)>"\'&'

let bench: RolloutWorkbench
let visitor: PageClient

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
  visitor = await PageClient.signedIn(bench.box, bench.admin)
})
afterAll(() => bench.close())

const openDispatch = ({ id }: Body): Promise<Visit> => visitor.open(`/app/dispatches/${id}`)
const openHook = ({ id }: Body, query = ''): Promise<Visit> => visitor.open(`/app/deployment-hooks/${id}${query}`)
const openProject = ({ id }: Body): Promise<Visit> => visitor.open(`/app/projects/${id}`)
const openEnvironments = ({ id }: Body): Promise<Visit> => visitor.open(`/app/projects/${id}/environments`)

const sectionOf = ({ document }: Visit, title: string): Element | undefined =>
  [...document.querySelectorAll('main section')].find((each) => each.querySelector('h2')?.textContent === title)
const titlesOf = ({ document }: Visit) => [...document.querySelectorAll('main h2')].map((each) => each.firstChild?.textContent)
const stateOf = (page: Visit) => sectionOf(page, 'Rollout')?.querySelector('.heading .pill')?.textContent
const historyOf = (page: Visit) =>
  [...(sectionOf(page, 'Rollout')?.querySelectorAll('.timeline li') ?? [])].map((each) => each.querySelector('div')?.textContent)

describe('The page of a dispatch', () => {
  test('shows its rollout before its attempts: from the delivery to the outcome', async () => {
    const { hook, receiver } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    const waiting = await openDispatch(dispatch)
    expect(titlesOf(waiting).slice(0, 3)).toEqual(['Change', 'Rollout', 'Attempts'])
    expect([stateOf(waiting), historyOf(waiting)]).toEqual(['awaiting', ['Dispatched', 'Delivered']])
    const { rollout } = await bench.dispatch(dispatch.id)
    expect(sectionOf(waiting, 'Rollout')?.querySelector('p.hint time')?.getAttribute('datetime')).toBe(rollout.deadline_at)

    const token = await bench.tokenOf(receiver, dispatch)
    await bench.reportWith(token, dispatch, { state: 'in_progress', version: 'v1.5.0' })
    const started = await openDispatch(dispatch)
    expect([stateOf(started), historyOf(started)]).toEqual(['in progress', ['Dispatched', 'Delivered', 'In progress']])
    expect(factOf(started, 'Last reported')?.textContent).toContain('by the receiver')

    await bench.report(dispatch, {
      state: 'succeeded',
      url: 'https://ci.example.com/runs/1?a=1&b=2',
      description: '3 of 3 instances\nare healthy.',
    })
    const done = await openDispatch(dispatch)
    expect([stateOf(done), factOf(done, 'Version')?.textContent]).toEqual(['succeeded', 'v1.5.0'])
    expect(historyOf(done).at(-1)).toBe(`Succeeded by ${bench.admin.name}`)
    expect(factOf(done, 'Last reported')?.textContent).toContain(`by ${bench.admin.name}`)
    expect(factOf(done, 'Description')?.textContent).toBe('3 of 3 instances\nare healthy.')
    const link = factOf(done, 'Page')?.querySelector('a')
    expect([link?.getAttribute('href'), link?.getAttribute('rel')]).toEqual([
      'https://ci.example.com/runs/1?a=1&b=2',
      'noopener noreferrer',
    ])
    expect(sectionOf(done, 'Rollout')?.textContent).not.toContain('becomes unknown')
  })

  test('says that nothing was reported in time, and that a later report is still taken', async () => {
    const { hook } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    await bench.expire(dispatch)
    const late = await openDispatch(dispatch)
    expect([stateOf(late), historyOf(late).at(-1)]).toEqual(['unknown', 'Nothing reported in time'])
    expect(late.text).toContain('A later report is still taken.')
    await bench.report(dispatch, { state: 'failed' })
    const page = await openDispatch(dispatch)
    expect([stateOf(page), historyOf(page).slice(-2)]).toEqual([
      'failed',
      ['Nothing reported in time', `Failed by ${bench.admin.name}`],
    ])
  })

  test('says that the time for a report has not started while it is not delivered', async () => {
    const { hook } = await bench.reporting({ paused: true })
    const dispatch = (await bench.ask(hook, 'trigger')).body
    const page = await openDispatch(dispatch)
    expect([stateOf(page), historyOf(page)]).toEqual(['awaiting', ['Dispatched']])
    expect(page.text).toContain('The time for a report starts when the dispatch is delivered.')
  })

  test('has no rollout if the hook expects none, or it is a test', async () => {
    const { hook } = await bench.hooked()
    expect(titlesOf(await openDispatch(await bench.triggered(hook)))).not.toContain('Rollout')
    const { hook: other } = await bench.reporting()
    const ping = (await bench.ask(other, 'test', undefined, { Prefer: 'wait=20' })).body
    expect(titlesOf(await openDispatch(ping))).not.toContain('Rollout')
  })

  test('shows markup in reports as text, and links to http and https only', async () => {
    const { project, hook } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    await bench.report(dispatch, {
      state: 'succeeded',
      version: EVIL,
      description: EVIL,
      url: `https://ci.example.com/?q=${EVIL}`,
    })
    const page = await openDispatch(dispatch)
    for (const each of [page, await openHook(hook), await openProject(project), await openEnvironments(project)]) {
      expect([each.html.includes('<img'), each.document.querySelector('main script')]).toEqual([false, null])
      expect(each.html).toContain('&lt;img')
      // Isolated: a version of another direction does not reorder what is around it.
      expect([...each.document.querySelectorAll('main bdi')].map((bdi) => bdi.textContent)).toContain(EVIL)
    }
    expect(factOf(page, 'Page')?.querySelector('a')?.getAttribute('href')).toStartWith('https://ci.example.com/')
    // The API refuses such a URL; the page must not depend on that.
    await bench.box.sql`update rollouts set url = 'javascript:alert(1)' where id = ${dispatch.id}`
    const cell = factOf(await openDispatch(dispatch), 'Page')
    expect([cell?.querySelector('a'), cell?.textContent]).toEqual([null, 'javascript:alert(1)'])
  })
})

test('the list of dispatches shows rollouts, and has no such column where there are none', async () => {
  const { hook } = await bench.reporting()
  await bench.rolledOut(hook, { state: 'failed', version: 'v2' })
  const page = await openHook(hook)
  const heads = ({ document }: Visit) =>
    [...document.querySelectorAll('table[aria-label=Dispatches] th')].map((each) => each.textContent)
  expect(heads(page)).toContain('Rollout')
  expect(rowsOf(page, 'Dispatches')[0]?.slice(1, 3)).toEqual(['succeeded', 'failedv2'])
  // Also after the hook has stopped to expect reports.
  await bench.change(hook, { report_within_seconds: null })
  expect(heads(await openHook(hook))).toContain('Rollout')
  const { hook: silent } = await bench.hooked()
  await bench.triggered(silent)
  expect(heads(await openHook(silent))).not.toContain('Rollout')
})

describe('The environments of a project', () => {
  test('show what runs in each, since when, what ran before, and the last rollout', async () => {
    const { project, hook } = await bench.reporting()
    const before = await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
    const current = await bench.rolledOut(hook, { state: 'succeeded', version: 'v2' })
    const latest = await bench.rolledOut(hook, { state: 'failed', version: 'v3' })
    const page = await openEnvironments(project)
    const row = page.document.querySelector('ul[aria-label=Environments] > li')
    const links = [...(row?.querySelectorAll('a') ?? [])].map((link) => [link.textContent, link.getAttribute('href')])
    expect(links).toEqual([
      ['production', `/app/projects/${project.id}/environment?name=production`],
      ['v2', `/app/dispatches/${current.id}`],
      ['v1', `/app/dispatches/${before.id}`],
      ['v3', `/app/dispatches/${latest.id}`],
      ['Policy of production', `/app/projects/${project.id}/environment/policy?name=production`],
    ])
    expect(row?.querySelector('.pill')?.textContent).toBe('failed')
    expect(row?.querySelector('.end time')?.getAttribute('datetime')).toBe(current.rollout.reported_at)
  })

  test('have the four figures of the last 30 days, and dashes without data', async () => {
    const { project, hook } = await bench.reporting()
    const label = 'Deployments of the last 30 days'
    expect(rowsOf(await openEnvironments(project), label)).toEqual([['production', '–', '–', '–', '–']])
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
    await bench.rolledOut(hook, { state: 'failed', version: 'v2' })
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v3' })
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v4' })
    await bench.box.sql`
      update environments
      set lead_time_median_seconds_30d = 312, restore_time_median_seconds_30d = 7260
      where project_id = ${project.id}
    `
    expect(rowsOf(await openEnvironments(project), label)).toEqual([
      ['production', '0.1 a day', '25%', '5 min 12 s', '2 h 1 min'],
    ])
  })

  test('say what to do while nothing is reported, and go on after ten of them', async () => {
    const { project } = await bench.hooked()
    expect((await openEnvironments(project)).text).toContain(
      'It is not known what runs where. Set “Seconds within which the outcome is reported” of a hook',
    )
    for (let number = 10; number < 22; number++) {
      await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
        name: 'Deploy',
        url: 'http://127.0.0.1:9/',
        trigger_on: 'gate_approved',
        environment: `stage & ${number}`,
        report_within_seconds: 60,
      })
    }
    const names = (page: Visit) => rowsOf(page, 'Environments').map(([name]) => name)
    const first = await openEnvironments(project)
    expect(names(first)).toHaveLength(10)
    const next = [...first.document.querySelectorAll('a[rel=next]')].find((each) => each.textContent === 'More environments')
    const second = await visitor.open(next?.getAttribute('href') ?? '')
    expect(names(second)).toEqual(['stage & 20', 'stage & 21'])
    expect(second.document.querySelector('[aria-label="Parts of environments"] a')?.textContent).toBe('First environments')
  })

  test('go on showing what runs after the hook was deleted', async () => {
    const { project, hook } = await bench.reporting()
    await bench.rolledOut(hook, { state: 'succeeded', version: 'v1' })
    await bench.admin.delete(`/api/v1/deployment-hooks/${hook.id}`)
    const page = await openEnvironments(project)
    const row = page.document.querySelector('ul[aria-label=Environments] > li')
    expect([row?.textContent?.includes('v1'), row?.querySelector('a[href^="/app/dispatches"]')]).toEqual([true, null])
  })
})
