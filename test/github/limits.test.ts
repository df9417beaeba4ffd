/** How many and how long: reports, installations, and the time that GitHub lets a run wait. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import type { Actor } from '../support/signalbox.ts'
import { GithubBench } from './workbench.ts'

const DAY_SECONDS = 86_400

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

const policy = (project_id: string, given: object) =>
  bench.admin.put(`/api/v1/projects/${project_id}/environments/production/policy`, given)

/** A gate that is pending, and whose first report GitHub has. */
async function opened(given: object = {}) {
  const linked = await bench.linked()
  await policy(linked.project.id, given)
  const run = bench.github.startRun(linked.repository, { environment: 'production' })
  const gate = await bench.gateOf(linked.project.id)
  await bench.github.until(() => run.gate('production').reports.length > 0, 'the report')
  return { ...linked, run, gate }
}

describe('Reports', () => {
  let approvers: Actor[]

  beforeAll(async () => {
    approvers = await Promise.all(['Grace', 'Lin'].map((name) => bench.box.user(name)))
    for (const each of approvers) await bench.box.join(each, bench.site, 'admin')
  })

  test('say how many have approved', async () => {
    const { run, gate } = await opened({ required_approvals: 3 })
    const { reports } = run.gate('production')
    for (const [index, each] of approvers.entries()) {
      expect((await bench.approval(gate, each)).status).toBe(200)
      await bench.github.until(() => reports.length === index + 2, 'another report')
      expect(reports.at(-1)).toContain(`${index + 1} of 3 approvals`)
    }
    await bench.approve(gate)
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
  })

  test('are at most nine, of the ten that GitHub takes: the answer comes nevertheless', async () => {
    const { run, gate, project } = await opened({ required_approvals: 3 })
    const { reports } = run.gate('production')
    await bench.box.settled()
    await bench.box.sql`update github_requests set report_count = 8 where project_id = ${project.id}`
    const [grace, lin] = approvers as [Actor, Actor]
    await bench.approval(gate, grace)
    await bench.github.until(() => reports.length === 2, 'the ninth report')
    await bench.approval(gate, lin)
    await bench.approve(gate)
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
    expect(reports).toHaveLength(2)
    expect(reports[1]).toContain('1 of 3 approvals')
  })
})

describe('A gate of a run', () => {
  const seconds = ({ created_at, expires_at }: { created_at: string; expires_at: string }) =>
    Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1_000)

  test('expires after 29 days, before GitHub fails the job', async () => {
    expect(seconds((await opened()).gate)).toBe(29 * DAY_SECONDS)
  })

  test('expires earlier if the policy says so', async () => {
    const { gate, run } = await opened({ expires_in_seconds: 3_600 })
    expect(seconds(gate)).toBe(3_600)
    await moveExpiry(bench.box.sql, gate.id)
    await bench.github.until(() => run.gate('production').state === 'rejected', 'the rejection')
    expect(run.gate('production').comment).toContain('Not decided in time')
  })
})

test('After 30 days there is nothing to answer any more', async () => {
  const { gate, project, repository } = await opened()
  const fault = bench.github.failFor({ path: /\/deployment_protection_rule$/ })
  await bench.approve(gate)
  await bench.box.until('it fails', async () => fault.hits >= 1)
  await bench.box.sql`
    update github_requests set opened_at = now() - interval '30 days 1 minute' where project_id = ${project.id}
  `
  await bench.box.until('it is closed', async () => (await bench.gates(project.id))[0].source.state === 'closed')
  fault.end()
  await bench.box.settled()
  expect(bench.answersFor(repository).filter(({ status }) => status === 204)).toEqual([])
})

test('Running checks are awaited for six hours, and then what forbids the gate is answered', async () => {
  const { github } = bench
  const { project, repository } = await bench.linked()
  await policy(project.id, { require_checks: true })
  github.createCheckRun(repository, { name: 'endless', status: 'in_progress' })
  const run = github.startRun(repository, { environment: 'production' })
  await bench.waits(project.id)
  await bench.lookAgain(project.id, '5 hours 59 minutes')
  await bench.waits(project.id)
  expect(run.gate('production').state).toBe('pending')
  await bench.lookAgain(project.id, '6 hours')
  await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  expect(run.gate('production').comment).toContain('endless')
  expect(await bench.gates(project.id)).toEqual([])
})

test('Evidence that cannot be read is awaited for ten minutes, and then left out', async () => {
  const { github } = bench
  const { project, repository } = await bench.linked()
  const fault = github.failFor({ path: /\/check-runs/ })
  github.startRun(repository, { environment: 'production' })
  await bench.waits(project.id)
  expect(await bench.gates(project.id)).toEqual([])
  await bench.lookAgain(project.id, '10 minutes')
  const { id } = await bench.gateOf(project.id)
  fault.end()
  const { body } = await bench.admin.get(`/api/v1/gates/${id}`)
  expect(body.evidence.summary).toContain('Not readable: check runs. GitHub answered 502')
})

test('An organization connects at most 20 installations', async () => {
  const { github, octocat, site } = bench
  await bench.box.sql`
    insert into github_installations (organization_id, installation_id, account_id, account_login, account_type, created_by)
    select ${site.organization.id}, n, n, 'account-' || n, 'Organization', ${bench.admin.id}
    from generate_series(900001, 900019) as n
  `
  github.install(bench.app, github.createOrganization('one-more', { owners: [octocat] }), { by: octocat })
  const path = `/app/organizations/${site.organization.id}/github`
  const away = await bench.leave(await bench.browser.open(path), 'Connect an installation')
  const offered = await bench.browser.open(bench.pathOf(await github.authorize(octocat, away)))
  const choice = [...offered.document.querySelectorAll('main form')]
    .find((form) => form.textContent?.includes('one-more'))
    ?.querySelector('input[name="choice"]')
    ?.getAttribute('value')
  const refused = await bench.browser.post(`${path}/choose`, { choice: choice ?? '' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('at most 20 installations')
})
