import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Repository } from '../support/github/world.ts'
import { GithubBench } from './workbench.ts'

let bench: GithubBench

beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

const environmentOf = async (project_id: string, name: string) => {
  const { body } = await bench.admin.get(`/api/v1/projects/${project_id}/environments`)
  return body.find(({ environment }: { environment: string }) => environment === name) ?? null
}

/** The environment once its newest rollout is in a state. */
async function until(project_id: string, name: string, state: string) {
  await bench.box.until(`${name} is ${state}`, async () => (await environmentOf(project_id, name))?.latest?.state === state)
  return environmentOf(project_id, name)
}

const rollouts = async (project_id: string, name: string) =>
  (await bench.admin.get(`/api/v1/projects/${project_id}/environments/${name}/rollouts`)).body.items

const eventsOf = async (project_id: string) =>
  await bench.box.sql<
    { name: string; data: object }[]
  >`select name, data from outbox where project_id = ${project_id} order by id`

/** Deploys without a gate. */
const deploy = (repository: Repository, environment: string) => bench.github.startRun(repository, { environment })

describe('A deployment of a linked repository', () => {
  test('is a rollout of its environment, with the commit, the ref and the job', async () => {
    const { project, repository } = await bench.linked()
    const run = deploy(repository, 'staging')
    const begun = await until(project.id, 'staging', 'in_progress')
    expect(begun.current).toBeNull()
    run.finish('success')
    const { current } = await until(project.id, 'staging', 'succeeded')
    expect(current).toMatchObject({
      dispatch_id: null,
      hook_id: null,
      event: 'github.deployment',
      version: 'main',
      url: expect.stringContaining(run.url),
      digest: { gitCommit: repository.branches.get('main') },
    })
    expect(await rollouts(project.id, 'staging')).toHaveLength(1)
    const events = await eventsOf(project.id)
    expect(events.map(({ name }) => name)).toEqual(expect.arrayContaining(['rollout.started', 'rollout.succeeded']))
    expect(events.find(({ name }) => name === 'rollout.succeeded')?.data).toMatchObject({
      dispatch: null,
      environment: 'staging',
    })
    const page = await bench.browser.open(`/app/projects/${project.id}/environment?name=staging`)
    expect(page.text).toContain('GitHub')
    expect((await bench.browser.open(`/app/projects/${project.id}`)).text).toContain('staging')
    const { body: track } = await bench.admin.get(`/api/v1/projects/${project.id}/track`)
    expect(JSON.stringify(track)).toContain(repository.branches.get('main') ?? '')
  })

  test('that fails is failed, and the next one restores it', async () => {
    const { project, repository } = await bench.linked()
    deploy(repository, 'staging').finish('success')
    await until(project.id, 'staging', 'succeeded')
    bench.github.clock.advance({ seconds: 2 })
    deploy(repository, 'staging').finish('failure')
    const failed = await until(project.id, 'staging', 'failed')
    expect(failed.current).not.toBeNull()
    expect(failed.change_failure_rate_30d).toBe(0.5)
  })

  test('the first final outcome stands', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    const run = deploy(repository, 'staging')
    run.finish('success')
    await until(project.id, 'staging', 'succeeded')
    await github.settled()
    const delivery = github.webhooks
      .of('deployment_status')
      .findLast(({ payload }) => JSON.parse(payload).deployment_status.state === 'in_progress')
    if (!delivery) throw new Error('No delivery')
    await bench.box.sql`delete from github_deliveries`
    github.webhooks.redeliver(delivery)
    await github.settled()
    expect((await environmentOf(project.id, 'staging')).latest.state).toBe('succeeded')
    expect(await rollouts(project.id, 'staging')).toHaveLength(1)
  })

  test('that is reported late moves nothing back', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    const [old] = [repository.branches.get('main')]
    github.webhooks.pause()
    deploy(repository, 'staging').finish('success')
    github.clock.advance({ seconds: 5 })
    const { sha } = github.pushCommit(repository)
    deploy(repository, 'staging').finish('success')
    github.webhooks.resume('reversed')
    await github.settled()
    const { current, previous, latest } = await environmentOf(project.id, 'staging')
    expect(current.digest).toEqual({ gitCommit: sha })
    expect(latest.digest).toEqual({ gitCommit: sha })
    expect(previous.digest).toEqual({ gitCommit: old })
  })

  test('is unknown 24 hours after it began, and takes an outcome nevertheless', async () => {
    const { project, repository } = await bench.linked()
    const run = deploy(repository, 'staging')
    await until(project.id, 'staging', 'in_progress')
    const [{ hours } = {}] = await bench.box.sql`
      select round(extract(epoch from deadline_at - reported_at) / 3600) as hours from rollouts where project_id = ${project.id}
    `
    expect(Number(hours)).toBe(24)
    await bench.box.sql`update rollouts set deadline_at = now() where project_id = ${project.id}`
    await until(project.id, 'staging', 'unknown')
    expect((await eventsOf(project.id)).map(({ name }) => name)).toContain('rollout.unknown')
    run.finish('success')
    await until(project.id, 'staging', 'succeeded')
  })

  test('to a transient environment is left out, and so are other states', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    const run = deploy(repository, 'preview')
    const { deployment } = run.job('preview')
    if (!deployment) throw new Error('No deployment')
    deployment.isTransient = true
    run.finish('success')
    await github.settled()
    const environment = await environmentOf(project.id, 'preview')
    expect(environment?.latest?.state).not.toBe('succeeded')
  })

  test('without an approved gate is a mismatch where one is required', async () => {
    const { project, repository } = await bench.linked()
    const set = (environment: string) =>
      bench.admin.put(`/api/v1/projects/${project.id}/environments/${environment}/policy`, { gate_required: true })
    await set('staging')
    deploy(repository, 'staging').finish('success')
    await until(project.id, 'staging', 'succeeded')
    expect((await eventsOf(project.id)).map(({ name }) => name)).toContain('rollout.mismatch')
  })

  test('is for known environments once there are 100', async () => {
    const { github } = bench
    const { project, repository } = await bench.linked()
    await bench.box.sql`
      insert into environments (organization_id, workspace_id, project_id, environment)
      select ${project.organization_id}, ${project.workspace_id}, ${project.id}, 'e' || n
      from generate_series(1, 100) as n
    `
    deploy(repository, 'one-more').finish('success')
    deploy(repository, 'e7').finish('success')
    await until(project.id, 'e7', 'succeeded')
    await github.settled()
    expect(await environmentOf(project.id, 'one-more')).toBeNull()
  })
})

test('What was not approved was not deployed: its deployment is no rollout', async () => {
  const { github } = bench
  const { project, repository } = await bench.linked()
  const run = github.startRun(repository, { environment: 'production' })
  const gate = await bench.gateOf(project.id)
  await bench.admin.post(`/api/v1/gates/${gate.id}/reject`)
  await github.until(() => run.gate('production').state === 'rejected', 'the rejection')
  await github.settled()
  expect(await environmentOf(project.id, 'production')).toBeNull()
})
