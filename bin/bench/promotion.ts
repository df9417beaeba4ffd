/** What it costs that a subject must have run in the environment before: fan-out, `verify`, and the sweep for what may come next. */
import type { Resource } from '../support/api-client.ts'
import { Failure } from '../support/command.ts'
import { costOf } from './costs.ts'
import { compareCpu, inTurns } from './figures.ts'
import { openFlood } from './flood.ts'
import { IN_FLIGHT, sendLoad, type Workload } from './requests.ts'
import { createProject, type Part, type Stage, settle, startProcess, until } from './stage.ts'

const ENVIRONMENTS = 10_000
/** Both sides require a gate, as production does. */
const WITHOUT = { gate_required: true }
const WITH = { ...WITHOUT, promotes_from: 'staging' }

type Side = typeof WITHOUT | typeof WITH

/** Projects with hooks, and events about approved gates. @returns measures some of them */
async function openSide(stage: Stage, policy: Side) {
  const { sql, quick, processes } = stage
  const flood = await openFlood(stage)
  for (const project of flood.projects)
    for (const [environment, rules] of Object.entries({ staging: {}, production: policy }))
      await stage.api.put(`/projects/${project}/environments/${environment}/policy`, rules)
  return {
    async measure(isWarmUp: boolean) {
      const count = (quick ? 2_000 : 20_000) / (isWarmUp ? 10 : 1)
      const gates = await flood.approve(count)
      await settle(sql)
      const { worker, postgres } = processes
      return costOf({ worker, postgres }, () => flood.fromEvents(count, gates).then(() => count))
    },
    [Symbol.asyncDispose]: flood[Symbol.asyncDispose],
  }
}

/** Approved gates for production that `verify` allows to be deployed. */
async function approvedDigests(stage: Stage, policy: Side): Promise<Workload> {
  const { sql, api } = stage
  const project = await createProject(stage)
  const path = `/projects/${project.id}`
  await api.put(`${path}/environments/staging/policy`, {})
  await api.put(`${path}/environments/production/policy`, policy)
  await sql`
    insert into environments (organization_id, workspace_id, project_id, environment)
    select organization_id, workspace_id, id, 'staging' from projects where id = ${project.id}
  `
  const headers = { Authorization: api.authorization, 'Content-Type': 'application/json' }
  const targets: Workload['targets'] = []
  for (let number = 0; number < IN_FLIGHT; number++) {
    const digest = `sha256:${new Bun.CryptoHasher('sha256').update(`${project.id} ${number}`).digest('hex')}`
    const subject = { uri: 'pkg:generic/bench', digest: { sha256: digest.slice('sha256:'.length) } }
    await sql`
      insert into environment_runs (organization_id, project_id, environment, digest, subject, since, rollout_id)
      select organization_id, id, 'staging', ${digest}, ${sql.json(subject)}, now() - interval '1 hour', uuidv7()
      from projects
      where id = ${project.id}
    `
    const input = { name: `Release ${number}`, environment: 'production', subject }
    const { id, binding } = await api.post<Resource & { binding: string }>(`${path}/gates`, input)
    await api.post(`/gates/${id}/approve`, { binding })
    const question = { environment: 'production', digest }
    const isAllowed = async () => (await api.post<{ allowed: boolean }>(`${path}/verify`, question)).allowed
    await until(`${digest} may be deployed`, isAllowed)
    targets.push({ path: `/api/v1${path}/verify`, headers, body: JSON.stringify(question) })
  }
  return { targets }
}

/** Makes environments that promote from another: half of them wait for nothing, and half for the end of a soak. */
async function fillEnvironments(stage: Stage): Promise<void> {
  const { sql } = stage
  const project = await createProject(stage)
  await sql`
    insert into environment_policies (organization_id, workspace_id, project_id, environment, promotes_from, open_gate)
    select organization_id, workspace_id, id, 'environment ' || number, 'staging', true
    from projects
    cross join generate_series(1, ${ENVIRONMENTS}::integer) as number
    where id = ${project.id}
  `
  await sql`
    insert into promotions (organization_id, workspace_id, project_id, environment, due_at)
    select
      organization_id, workspace_id, project_id, environment,
      case when row_number() over () % 2 = 0 then now() + interval '1 day' end
    from environment_policies
    where project_id = ${project.id}
  `
}

export const part: Part = {
  about: `processor time of worker and PostgreSQL for each of 20,000 events about approved gates until the record of the dispatch, and of API and PostgreSQL for POST /projects/{id}/verify, ${IN_FLIGHT} in flight for 4 s; three rounds, in turns. The environment requires a gate and promotes from another one, where each subject has run.
Baseline: the same where it does not promote. The sweep: PostgreSQL's part of one over ${ENVIRONMENTS.toLocaleString('en')} environments, of which none is due.`,
  async run(stage) {
    const { quick, environment, sql, url, processes } = stage
    const rounds = quick ? 1 : 3
    await using promoting = await openSide(stage, WITH)
    await using plain = await openSide(stage, WITHOUT)
    const fannedOut = await inTurns(rounds, { value: promoting.measure, baseline: plain.measure })
    const [own, other] = [await approvedDigests(stage, WITH), await approvedDigests(stage, WITHOUT)]
    await settle(sql)
    const verify = (workload: Workload) => () => {
      const { web, postgres } = processes
      return costOf({ web, postgres }, () => sendLoad(url, workload, quick ? 1 : 4))
    }
    const verified = await inTurns(rounds, { value: verify(own), baseline: verify(other) })
    await fillEnvironments(stage)
    await settle(sql)
    await using sweep = startProcess('bin/bench/sweep.ts', environment)
    const swept = Number(await sweep.firstLine)
    if (Number.isNaN(swept)) throw new Failure(`The sweep printed ${await sweep.firstLine}.`)
    const ofFanOut = compareCpu(
      'CPU of a dispatch with promotion',
      ['worker', 'postgres'],
      fannedOut.value,
      fannedOut.baseline,
      1.05,
    )
    const ofVerify = compareCpu('CPU of verify with promotion', ['web', 'postgres'], verified.value, verified.baseline, 1.05)
    return [ofFanOut, ofVerify, { name: 'a sweep with nothing to do', unit: 'ms', value: [swept], atMost: 5 }]
  },
}
