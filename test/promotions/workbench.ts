/** The fixture of promotion tests: a project with a chain of environments, and what is rolled out in them. */
import { expect } from 'bun:test'
import { errorsOf } from '../deployment-hooks/workbench.ts'
import { RolloutWorkbench } from '../rollouts/workbench.ts'
import type { Answer } from '../support/signalbox.ts'

export type Body = Answer['body']

export const digest = (digit: string) => ({ gitCommit: digit.repeat(40) })
export const [V1, V2, V3] = [digest('1'), digest('2'), digest('3')]

export const subjectOf = (of: object, version: string | null = null) => ({
  uri: 'git+https://git.example.com/acme/checkout',
  digest: of,
  version,
})

export interface Chain {
  project: Body
  staging: Body
  production: Body
}

const HOUR = 3600

export class PromotionWorkbench extends RolloutWorkbench {
  policyOf = (project: Body, environment: string) =>
    `/api/v1/projects/${project.id}/environments/${encodeURIComponent(environment)}/policy`

  /** Changes a policy. */
  async policy(project: Body, input: object, environment = 'production'): Promise<Body> {
    const { status, body } = await this.admin.put(this.policyOf(project, environment), input)
    expect([status, body.errors]).toEqual([200, undefined])
    return body
  }

  /** The errors of a refused policy. */
  refused = async (project: Body, environment: string, input: object) =>
    errorsOf(await this.admin.put(this.policyOf(project, environment), input))

  hookIn(project: Body, environment: string, input: object = {}): Promise<Body> {
    return this.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: `Deploy to ${environment}`,
      url: `${this.receiver().url}/${encodeURIComponent(environment)}`,
      trigger_on: 'gate_approved',
      report_within_seconds: 600,
      environment,
      ...input,
    })
  }

  /** A project in which production promotes from staging, and the hooks of both. */
  async chain(policy: object = {}, hook: object = {}): Promise<Chain> {
    const project = await this.project()
    const staging = await this.hookIn(project, 'staging')
    const production = await this.hookIn(project, 'production', hook)
    await this.policy(project, { promotes_from: 'staging', ...policy })
    return { project, staging, production }
  }

  /** Rolls something out by hand. */
  run = (hook: Body, of: object, state = 'succeeded', more: object = {}): Promise<Body> =>
    this.rolledOut(hook, { state, digest: of, ...more })

  /** Reports on the first dispatch of a hook, once it was delivered. */
  async rolledOutFirst(hook: Body, input: object): Promise<Body> {
    const { status, body } = await this.report(await this.settled(hook), input)
    expect(status).toBe(200)
    return body
  }

  open = (project: Body, of: object | null, input: object = {}): Promise<Answer> =>
    this.admin.post(`/api/v1/projects/${project.id}/gates`, {
      name: 'Release',
      environment: 'production',
      subject: of && subjectOf(of),
      ...input,
    })

  /** Opens a gate and approves it. */
  async approved(project: Body, of: object, input: object = {}): Promise<Body> {
    const { status, body } = await this.open(project, of, input)
    expect([status, body.errors]).toEqual([201, undefined])
    return this.approveGate(body)
  }

  approveGate = ({ id, binding }: Body): Promise<Body> => this.admin.make(`/api/v1/gates/${id}/approve`, { binding })

  effects = async ({ id }: Body): Promise<Body> => (await this.admin.get(`/api/v1/gates/${id}/effects`)).body

  clearance = async ({ id }: Body): Promise<Body> => (await this.admin.get(`/api/v1/gates/${id}/clearance`)).body

  verify = async (project: Body, of: Body, environment = 'production'): Promise<Body> =>
    (await this.admin.post(`/api/v1/projects/${project.id}/verify`, { environment, digest: `gitCommit:${of.gitCommit}` })).body

  /** The first dispatch of a hook, once it was made. */
  async first(hook: Body): Promise<Body> {
    const [dispatch] = await this.dispatches(hook, ([found]) => found !== undefined)
    return dispatch
  }

  /** The dispatches of a hook, once all events are drained and nothing of it is due: status, or the code of the error. */
  async outcomes(hook: Body): Promise<string[]> {
    await this.box.until('nothing is to be done', async () => {
      const [{ idle }] = await this.box.sql<[{ idle: boolean }]>`
        select not exists (select 1 from waiting_events)
          and not exists (
            select 1
            from deliveries as delivery
            join deployment_hooks as hook on hook.id = delivery.lane_id and hook.organization_id = delivery.organization_id
            where delivery.lane_id = ${hook.id}
              and delivery.organization_id = ${this.site.organization.id}
              and (delivery.cancel_requested or delivery.due_at <= now() and not hook.paused)
          ) as idle
      `
      return idle
    })
    return (await this.listed(hook)).items.map(({ status, error }: Body) => error?.code ?? status).reverse()
  }

  rollback = (project: Body, environment: string | null = null): Promise<Body> =>
    this.admin.make(`/api/v1/projects/${project.id}/deployment-rollback`, { target_version: 'v0', environment })

  /** As if a subject had run in an environment for longer. */
  async age(project: Body, environment: string, seconds: number): Promise<void> {
    await this.box.sql`
      update environment_runs
      set since = seconds_after(since, ${-seconds})
      where project_id = ${project.id} and environment = ${environment}
    `
    await this.box.sql`update promotions set due_at = now() where project_id = ${project.id}`
  }

  hour = (project: Body): Promise<void> => this.age(project, 'staging', HOUR)

  /** The gates of a project, newest first. */
  gates = async (project: Body): Promise<Body[]> => (await this.admin.get(`/api/v1/projects/${project.id}/gates`)).body

  /** The gates for production that Signalbox opened, newest first. */
  opened = async (project: Body): Promise<Body[]> =>
    (await this.gates(project)).filter(({ name }: Body) => name === 'Promote to production')

  /** The gate that Signalbox opens for a subject. */
  async next({ project }: { project: Body }, of: Body = V1): Promise<Body> {
    let found: Body
    await this.box.until('the gate is open', async () => {
      found = (await this.opened(project)).find(({ subject }) => subject.digest.gitCommit === of.gitCommit)
      return found !== undefined
    })
    return (await this.admin.get(`/api/v1/gates/${found.id}`)).body
  }

  environment = async (project: Body, name: string): Promise<Body> =>
    (await this.environments(project)).find(({ environment }: Body) => environment === name)

  /** The events of a project whose name begins so, oldest first. */
  events = (project: Body, name: string): Promise<{ name: string; data: Body }[]> =>
    this.box.sql`
      select name, data from outbox where project_id = ${project.id} and name like ${`${name}%`} order by id
    `

  drained(): Promise<void> {
    return this.box.until('all events are drained', async () => {
      const [{ idle }] = await this.box.sql<[{ idle: boolean }]>`select not exists (select 1 from waiting_events) as idle`
      return idle
    })
  }

  titles = async (): Promise<string[]> => {
    await this.drained()
    const { body } = await this.admin.get('/api/v1/notifications?page_size=100')
    return body.items.map(({ title }: Body) => title)
  }
}
