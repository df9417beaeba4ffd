/** What happens while GitHub does not take an answer. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { WorkflowRun } from '../support/github/runs.ts'
import { GithubBench } from './workbench.ts'

const ANSWERING = /\/deployment_protection_rule$/

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

/** A gate that is pending. */
async function opened() {
  const { project, repository } = await bench.linked()
  const run = bench.github.startRun(repository, { environment: 'production' })
  const gate = await bench.gateOf(project.id)
  await bench.github.until(() => run.gate('production').reports.length > 0, 'the report')
  return { project, repository, run, gate }
}

const approve = (gate: { id: string }) => bench.approve(gate)

const sourceOf = async (gate: { id: string }) => (await bench.admin.get(`/api/v1/gates/${gate.id}`)).body.source

const isApproved = (run: WorkflowRun) => bench.github.until(() => run.gate('production').state === 'approved', 'the approval')

const answered = (gate: { id: string }) =>
  bench.box.until('it is answered', async () => (await sourceOf(gate)).state === 'answered')

describe('An answer', () => {
  test('is sent again after 502s, and its page says why it waits', async () => {
    const { run, gate, repository } = await opened()
    const fault = bench.github.failFor({ path: ANSWERING })
    await approve(gate)
    await bench.box.until('it fails', async () => fault.hits >= 3)
    await bench.box.until('the error', async () => (await sourceOf(gate)).error !== null)
    expect(await sourceOf(gate)).toMatchObject({
      state: 'open',
      error: { code: 'http_error', detail: expect.stringContaining('502') },
    })
    const page = await bench.browser.open(`/app/gates/${gate.id}`)
    expect(page.text).toContain('GitHub answered 502')
    fault.end()
    expect((await bench.browser.press(page, 'Answer again')).text).toContain('GitHub gets the answer again')
    await isApproved(run)
    await answered(gate)
    expect((await sourceOf(gate)).error).toBeNull()
    expect(new Set(bench.answersFor(repository).map(({ body }) => body.state))).toEqual(new Set(['approved']))
    expect(await bench.admin.post(`/api/v1/gates/${gate.id}/github-answer`)).toMatchObject({ status: 409 })
  })

  test('whose response is lost is sent again, and taken as answered', async () => {
    const { run, gate } = await opened()
    // GitHub has taken it, and the response does not arrive.
    const { answer } = { answer: bench.github.failFor({ path: ANSWERING, times: 1, hangs: true }) }
    await approve(gate)
    await bench.box.until('it hangs', async () => answer.hits === 1)
    await isApproved(run)
    await answered(gate)
  })

  test('that someone else has given counts', async () => {
    const { run, gate } = await opened()
    const fault = bench.github.failFor({ path: ANSWERING })
    await approve(gate)
    await bench.box.until('it fails', async () => fault.hits >= 1)
    run.review(bench.app, 'production', 'approved', 'By hand.')
    fault.end()
    await answered(gate)
  })

  test('is not sent where nothing waits any more', async () => {
    const { run, gate, repository } = await opened()
    bench.github.webhooks.pause()
    run.cancel()
    await approve(gate)
    await bench.box.until('it is closed', async () => (await sourceOf(gate)).state === 'closed')
    expect(bench.answersFor(repository).length).toBeGreaterThan(0)
    bench.github.webhooks.resume()
    await bench.github.settled()
  })

  test('takes another token if the one before is not accepted any more', async () => {
    const { run, gate } = await opened()
    for (const [value, token] of bench.github.world.tokens)
      if (token.kind === 'installation') bench.github.world.tokens.delete(value)
    await approve(gate)
    await isApproved(run)
  })

  test('waits for as long as GitHub asks, with all of its installation', async () => {
    const { run, gate } = await opened()
    bench.github.limitSecondary(bench.installation, 2)
    const at = Date.now()
    await approve(gate)
    await isApproved(run)
    expect(Date.now() - at).toBeGreaterThan(1_500)
    await answered(gate)
  })

  test('that is wanted otherwise by now is not sent until it is known whether the first one arrived', async () => {
    const { run, gate, repository } = await opened()
    const fault = bench.github.failFor({ path: ANSWERING })
    await approve(gate)
    await bench.box.until('it fails', async () => fault.hits >= 1)
    await bench.admin.post(`/api/v1/gates/${gate.id}/revoke`, { reason: 'A leak' })
    fault.end()
    await bench.github.until(() => run.gate('production').state !== 'pending', 'an answer')
    const [first] = bench.answersFor(repository).filter(({ status }) => status === 204)
    expect(run.gate('production').state).toBe(first?.body.state)
    await answered(gate)
    expect(bench.answersFor(repository).filter(({ status }) => status === 204)).toHaveLength(1)
  })

  test('that fails for ten minutes is an event, once', async () => {
    const { project, gate, run } = await opened()
    const fault = bench.github.failFor({ path: ANSWERING })
    await approve(gate)
    await bench.box.until('the error', async () => (await sourceOf(gate)).error !== null)
    await bench.box.sql`update github_requests set failing_since = now() - interval '11 minutes' where gate_id = ${gate.id}`
    const count = async () => {
      const found = await bench.box.sql`select from outbox where project_id = ${project.id} and name = 'github.unanswered'`
      return found.length
    }
    await bench.box.until('the event', async () => (await count()) === 1)
    const hits = fault.hits
    await bench.box.until('more attempts', async () => fault.hits > hits + 1)
    expect(await count()).toBe(1)
    fault.end()
    await isApproved(run)
  })
})

describe('An installation', () => {
  test('that is suspended is answered once it is not any more', async () => {
    const { run, gate, project } = await opened()
    bench.github.suspend(bench.installation)
    await bench.box.until('it is suspended', async () => {
      const { body } = await bench.admin.get(`/api/v1/projects/${project.id}/github`)
      return body.status === 'suspended'
    })
    await approve(gate)
    await bench.box.settled()
    expect(run.gate('production').state).toBe('pending')
    bench.github.unsuspend(bench.installation)
    await isApproved(run)
    const events = await bench.box.sql`select name from outbox where project_id = ${project.id}`
    expect(events.map(({ name }) => name)).toContain('github.disconnected')
  })

  test('that loses a repository closes its requests', async () => {
    const { gate, project, repository } = await opened()
    const others = bench.github.world.repositories.filter((each) => each !== repository && each.owner === bench.acme)
    bench.github.selectRepositories(bench.installation, others)
    await bench.box.until('it is lost', async () => {
      const { body } = await bench.admin.get(`/api/v1/projects/${project.id}/github`)
      return body.status === 'lost'
    })
    await bench.box.until(
      'the gate is cancelled',
      async () => (await bench.admin.get(`/api/v1/gates/${gate.id}`)).body.status === 'cancelled',
    )
    expect((await bench.browser.open(`/app/projects/${project.id}/github`)).text).toContain(
      'does not reach the repository any more',
    )
    bench.github.selectRepositories(bench.installation, 'all')
    await bench.box.until('it is reached again', async () => {
      const { body } = await bench.admin.get(`/api/v1/projects/${project.id}/github`)
      return body.status === 'active'
    })
  })

  test('that is uninstalled closes its requests, in whatever order its deliveries come', async () => {
    const { gate } = await opened()
    bench.github.webhooks.pause()
    bench.github.suspend(bench.installation)
    bench.github.unsuspend(bench.installation)
    bench.github.uninstall(bench.installation)
    bench.github.webhooks.resume('reversed')
    await bench.box.until(
      'the gate is cancelled',
      async () => (await bench.admin.get(`/api/v1/gates/${gate.id}`)).body.status === 'cancelled',
    )
    const { body } = await bench.admin.get(`/api/v1/organizations/${bench.site.organization.id}/github-installations`)
    expect(body[0].status).toBe('removed')
  })
})
