/** Requests of runs that are answered without people, shared, replaced, or closed. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { GithubBench } from './workbench.ts'

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

const policy = (project_id: string, given: object, environment = 'production') =>
  bench.admin.put(`/api/v1/projects/${project_id}/environments/${environment}/policy`, given)

const approve = (gate: { id: string }) => bench.approve(gate)

const stateOf = async (gate: { id: string }) => (await bench.admin.get(`/api/v1/gates/${gate.id}`)).body.source.state

/** A commit that was approved and answered. */
async function approved() {
  const { github } = bench
  const linked = await bench.linked()
  const run = github.startRun(linked.repository, { environment: 'production' })
  const gate = await bench.gateOf(linked.project.id)
  await approve(gate)
  await github.until(() => run.gate('production').state === 'approved', 'the approval')
  await bench.box.until('the answer', async () => (await stateOf(gate)) === 'answered')
  return { ...linked, run, gate }
}

describe('Of one commit', () => {
  test('jobs of a run share a gate, also those that ask later', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    const run = github.startRun(repository, {
      jobs: [
        { name: 'web', environment: 'production' },
        { name: 'worker', environment: 'production' },
      ],
    })
    const gate = await bench.gateOf(project.id)
    await approve(gate)
    await github.until(() => run.jobsOf('production').every(({ gates }) => gates[0]?.state === 'approved'), 'both approvals')
    expect(await bench.gates(project.id)).toHaveLength(1)
    expect(bench.answersFor(repository)).toHaveLength(1)
  })

  test('a job that comes after the answer is answered again, without a second gate', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    const run = github.startRun(repository, {
      jobs: [
        { name: 'first', environment: 'production' },
        { name: 'second', environment: 'production', needs: ['first'] },
      ],
    })
    await approve(await bench.gateOf(project.id))
    await github.until(() => run.gate('production').state === 'approved', 'the first approval')
    run.finish('success', 'production')
    await github.until(() => run.jobsOf('production')[1]?.gates[0]?.state === 'approved', 'the second approval')
    expect(await bench.gates(project.id)).toHaveLength(1)
    expect(bench.answersFor(repository)).toHaveLength(2)
  })

  test('another run is answered at once where the approval holds', async () => {
    const { project, repository } = await approved()
    const run = bench.github.startRun(repository, { environment: 'production' })
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
    expect(await bench.gates(project.id)).toHaveLength(1)
  })

  test('a revoked approval is good for nothing: the next run gets a gate of its own', async () => {
    const { project, repository, gate } = await approved()
    expect((await bench.admin.post(`/api/v1/gates/${gate.id}/revoke`, { reason: 'A leak' })).status).toBe(200)
    bench.github.startRun(repository, { environment: 'production' })
    await bench.gatesOf(project.id, 2)
  })
})

test('A run with another commit replaces the gate before, whose run is rejected', async () => {
  const { github } = bench
  const { project, repository } = await bench.linked()
  const first = github.startRun(repository, { environment: 'production' })
  await bench.gateOf(project.id)
  github.pushCommit(repository)
  const second = github.startRun(repository, { environment: 'production' })
  await github.until(() => first.gate('production').state === 'rejected', 'the rejection')
  expect(first.gate('production').comment).toContain('Replaced by a gate with another commit')
  const pending = (await bench.gates(project.id)).filter(({ status }) => status === 'pending')
  expect(pending).toHaveLength(1)
  expect(pending[0].source.run_id).toBe(second.id)
})

test('Environments are known without regard to case', async () => {
  const { github } = bench
  const { project, repository } = await bench.linked({ environment: 'Production' })
  await policy(project.id, { required_approvals: 2 })
  github.startRun(repository, { environment: 'Production' })
  const gate = await bench.gateOf(project.id)
  expect(gate).toMatchObject({ environment: 'production', required_approvals: 2, source: { environment: 'Production' } })
})

describe('What the policy requires', () => {
  test('and the run lacks is answered, naming it', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    await policy(project.id, { require_checks: true })
    github.createCheckRun(repository, { name: 'unit', conclusion: 'failure' })
    const run = github.startRun(repository, { environment: 'production' })
    await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
    expect(run.gate('production').comment).toContain('evidence')
    expect(await bench.gates(project.id)).toEqual([])
    await github.until(() => repository.statuses.at(-1)?.state === 'failure', 'the commit status')
  })

  test('is waited for while checks run', async () => {
    const { github, box } = bench
    const { project, repository } = await bench.linked()
    await policy(project.id, { require_checks: true })
    const check = github.createCheckRun(repository, { name: 'slow', status: 'in_progress' })
    const run = github.startRun(repository, { environment: 'production' })
    await box.until('the request waits', async () => {
      const [request] = await box.sql`
        select due_at > now() + interval '30 seconds' as waits from github_requests where project_id = ${project.id}
      `
      return request?.waits === true
    })
    expect(run.gate('production').state).toBe('pending')
    github.completeCheckRun(repository, check)
    await box.sql`update github_requests set due_at = now() where project_id = ${project.id}`
    await box.sql`select ops.wake_lanes(array_agg(organization_id), array_agg(lane_id)) from github_requests where project_id = ${project.id}`
    await bench.gateOf(project.id)
  })

  test('of promotion is what must have run before', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    await policy(project.id, {}, 'staging')
    await policy(project.id, { promotes_from: 'staging' })
    const run = github.startRun(repository, { environment: 'production' })
    await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
    const staged = github.startRun(repository, { environment: 'staging' })
    staged.finish('success')
    await bench.box.until('it runs in staging', async () => {
      const { body } = await bench.admin.get(`/api/v1/projects/${project.id}/environments`)
      return body.some(
        ({ environment, current }: { environment: string; current: object }) => environment === 'staging' && current,
      )
    })
    github.startRun(repository, { environment: 'production' })
    expect(await bench.gateOf(project.id)).toMatchObject({ status: 'pending' })
  })
})

describe('In a freeze', () => {
  const freeze = { name: 'Holidays', from: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' }

  const frozen = async () => {
    const linked = await bench.linked()
    const set = await policy(linked.project.id, { freezes: [freeze] })
    expect(set.status).toBe(200)
    const run = bench.github.startRun(linked.repository, { environment: 'production' })
    const gate = await bench.gateOf(linked.project.id)
    return { ...linked, run, gate }
  }

  test('an approval is held until it ends, also early', async () => {
    const { project, run, gate } = await frozen()
    await approve(gate)
    await bench.box.until('it is held', async () => (await stateOf(gate)) === 'held')
    await bench.github.until(() => run.gate('production').reports.some((text) => text.includes('held')), 'the report')
    expect(run.gate('production').state).toBe('pending')
    await policy(project.id, { freezes: [] })
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
  })

  test('an approval that is revoked meanwhile is answered as rejected', async () => {
    const { run, gate } = await frozen()
    await approve(gate)
    await bench.box.until('it is held', async () => (await stateOf(gate)) === 'held')
    await bench.admin.post(`/api/v1/gates/${gate.id}/revoke`, { reason: 'A leak' })
    await bench.github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  })

  test('an override is answered at once', async () => {
    const { run, gate } = await frozen()
    expect((await bench.admin.post(`/api/v1/gates/${gate.id}/override`, { reason: 'An incident' })).status).toBe(200)
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
    expect(run.gate('production').comment).toContain('An incident')
  })
})

describe('A gate without a run that waits', () => {
  const opened = async () => {
    const linked = await bench.linked()
    const run = bench.github.startRun(linked.repository, { environment: 'production' })
    return { ...linked, run, gate: await bench.gateOf(linked.project.id) }
  }

  const cancelled = (gate: { id: string }) =>
    bench.box.until('the gate is cancelled', async () => {
      const { body } = await bench.admin.get(`/api/v1/gates/${gate.id}`)
      return body.status === 'cancelled' && body.source.state === 'closed'
    })

  test('is cancelled when the run is', async () => {
    const { run, gate, repository } = await opened()
    run.cancel()
    await cancelled(gate)
    await bench.github.until(() => repository.statuses.at(-1)?.state === 'error', 'the commit status')
  })

  test('is cancelled when an administrator bypasses the rule, which is an event', async () => {
    const { run, gate, project } = await opened()
    run.bypass('production')
    await cancelled(gate)
    const { body: log } = await bench.admin.get(`/api/v1/organizations/${bench.site.organization.id}/audit-logs`)
    expect(log.items.find(({ action }: { action: string }) => action === 'github.bypassed')).toMatchObject({
      resource_type: 'github_request',
    })
    const events = await bench.box.sql`select name from outbox where project_id = ${project.id}`
    expect(events.map(({ name }) => name)).toContain('github.bypassed')
  })

  test('that is withdrawn is answered as rejected', async () => {
    const { run, gate } = await opened()
    await bench.admin.post(`/api/v1/gates/${gate.id}/cancel`)
    await bench.github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  })

  test('of a repository that is unlinked is answered as rejected', async () => {
    const { run, gate, project } = await opened()
    await bench.admin.delete(`/api/v1/projects/${project.id}/github`)
    await bench.github.until(() => run.gate('production').state === 'rejected', 'the rejection')
    await bench.box.until(
      'the gate is cancelled',
      async () => (await bench.admin.get(`/api/v1/gates/${gate.id}`)).body.status === 'cancelled',
    )
  })

  test('of a deleted project is answered as rejected', async () => {
    const { run, project } = await opened()
    expect((await bench.admin.delete(`/api/v1/projects/${project.id}`)).status).toBe(204)
    await bench.github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  })

  test('a run that is started again gets a gate of its own', async () => {
    const { run, gate, project } = await opened()
    run.cancel()
    await cancelled(gate)
    run.rerun()
    const [again] = (await bench.gatesOf(project.id, 2)).filter(({ id }) => id !== gate.id)
    await approve(again)
    await bench.github.until(() => run.gate('production').state === 'approved', 'the approval')
  })
})
