import { afterAll, beforeAll, expect, test } from 'bun:test'
import { GithubBench, STATUS } from './workbench.ts'

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

test('a job that names a protected environment waits for a gate, whose approval lets it go on', async () => {
  const { github, admin, acme } = bench
  const { project, repository } = await bench.linked()
  const commit = github.pushCommit(repository, { message: 'Pay by invoice\n\nMore.' })
  github.createCheckRun(repository, { name: 'unit tests' })
  const run = github.startRun(repository, { environment: 'production', actor: bench.octocat })
  const gate = await bench.gateOf(project.id)
  expect(gate).toMatchObject({
    name: 'Deploy',
    environment: 'production',
    status: 'pending',
    subject: {
      uri: `git+${github.url.replace('http:', 'https:')}/acme/${repository.name}`,
      digest: { gitCommit: commit.sha },
      version: null,
    },
    created_by: null,
    source: {
      type: 'github',
      repository: `acme/${repository.name}`,
      run_id: run.id,
      run_url: run.url,
      environment: 'production',
      ref: 'main',
      asked_by: [{ id: bench.octocat.id, login: 'octocat' }],
      state: 'open',
      answered_at: null,
      error: null,
    },
  })
  const { body: whole } = await admin.get(`/api/v1/gates/${gate.id}`)
  expect(whole.evidence.checks).toEqual([expect.objectContaining({ name: 'unit tests', state: 'passed' })])
  expect(whole.evidence.summary).toContain('Pay by invoice')
  await github.waitForCalls(STATUS)
  expect(repository.statuses.map(({ context, state }) => [context, state])).toEqual([['signalbox/production', 'pending']])
  expect(run.gate('production').reports[0]).toContain('Waits for a decision')

  await bench.approve(gate)
  await github.until(() => run.gate('production').state === 'approved', 'the approval')
  expect(run.gate('production').comment).toContain('Approved by Ada Lovelace')
  await github.waitForCalls(STATUS, 2)
  expect(repository.statuses.at(-1)).toMatchObject({ context: 'signalbox/production', state: 'success' })
  await bench.box.until('the answer is recorded', async () => (await bench.gates(project.id))[0].source.state === 'answered')
  expect(bench.answersFor(repository)).toHaveLength(1)

  run.finish('success')
  await bench.box.until('the rollout', async () => {
    const { body } = await admin.get(`/api/v1/projects/${project.id}/environments`)
    return body[0]?.current !== null
  })
  const { body: environments } = await admin.get(`/api/v1/projects/${project.id}/environments`)
  expect(environments[0].current).toMatchObject({
    dispatch_id: null,
    hook_id: null,
    event: 'github.deployment',
    state: 'succeeded',
    version: 'main',
    digest: { gitCommit: commit.sha },
  })
  expect(acme.login).toBe('acme')
})

test('a rejection fails the job', async () => {
  const { github, admin } = bench
  const { project, repository } = await bench.linked()
  const run = github.startRun(repository, { environment: 'production' })
  const gate = await bench.gateOf(project.id)
  await admin.post(`/api/v1/gates/${gate.id}/reject`, { comment: 'Not on a Friday.' })
  await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  expect(run.gate('production').comment).toContain('Not on a Friday.')
  await github.until(() => repository.statuses.at(-1)?.state === 'failure', 'the commit status')
})
