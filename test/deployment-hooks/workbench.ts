/** The fixture of dispatch tests: creates hooks with their receivers, and waits for states of their dispatches. */
import { expect } from 'bun:test'
import type { Received, Receiver } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'
import { BaseWorkbench } from '../support/workbench.ts'
import { type RawServer, rawServer } from './raw-server.ts'

type Body = Answer['body']

/** Long enough for a response to be read, also on a busy machine; a response may be lost if its connection is closed before. */
export const READ_MS = 1_000

/** Options for tests of dispatches that wait for a retry. */
export const WITH_LATE_RETRIES = { workers: 2, environment: { HOOK_RETRY_SECONDS: '600,600' } }

export const pathOf = (hook: Body): string => `/api/v1/deployment-hooks/${hook.id}`

/** The status of a response, and its errors with their pointers. */
export const errorsOf = ({ status, body }: Answer) => [
  status,
  ...(body.errors ?? []).map(({ pointer, code }: Body) => `${pointer} ${code}`),
]

export class Workbench extends BaseWorkbench {
  /** Starts a server that responds with raw bytes. */
  async raw(answer: Parameters<typeof rawServer>[0]): Promise<RawServer> {
    return this.with(await rawServer(answer))
  }

  /** Creates a project with a hook. */
  async hookTo(url: string, input: object = {}): Promise<{ project: Body; hook: Body }> {
    const project = await this.project()
    const hook = await this.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url,
      trigger_on: 'gate_approved',
      ...input,
    })
    return { project, hook }
  }

  /** Creates a project with a hook and its receiver. */
  async hooked(input: object = {}): Promise<{ project: Body; hook: Body; receiver: Receiver }> {
    const receiver = this.receiver()
    return { receiver, ...(await this.hookTo(`${receiver.url}/deploy?to=eu`, input)) }
  }

  /** Subscribes to `deployment.*` of one project or of all. @returns the receiver of these events */
  async subscribeToOutcomes(project?: Body): Promise<Receiver> {
    const receiver = this.receiver()
    await this.admin.subscribeToOutcomes(this.site.workspace.id, receiver.url, project?.id)
    return receiver
  }

  /** Starts an execution, and opens and approves a gate. */
  async approve(project: Body): Promise<Body> {
    return this.box.approval(this.admin, (await this.box.running(this.admin, project.id)).id)
  }

  /** The dispatch that a request belongs to, once its outcome is recorded. */
  async recorded(request: Received): Promise<Body> {
    const id = request.headers['x-signalbox-delivery'] ?? ''
    await this.box.until('the outcome is recorded', async () => (await this.dispatch(id)).status !== 'pending')
    return this.dispatch(id)
  }

  /** Creates a hook of a new project. @returns the response, which may be a problem */
  async create(input: object): Promise<Answer> {
    const project = await this.project()
    return this.admin.post(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'http://127.0.0.1:1/',
      trigger_on: 'gate_approved',
      ...input,
    })
  }

  /** Sends a `test.ping` and waits until it is finished. @returns the dispatch with its attempt */
  async pinged(url: string): Promise<Body> {
    const { hook } = await this.hookTo(url)
    const { status, body } = await this.admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=25' })
    expect(status).toBe(200)
    return this.dispatch(body.id)
  }

  /** Posts to a hook. */
  ask = (hook: Body, action: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    this.admin.post(`/api/v1/deployment-hooks/${hook.id}/${action}`, body, headers)

  /** Changes a hook. */
  async change(hook: Body, input: object): Promise<Body> {
    const { status, body } = await this.admin.put(`/api/v1/deployment-hooks/${hook.id}`, input)
    expect([status, body.code]).toEqual([200, undefined])
    return body
  }

  /** Calls an action of a dispatch: `redeliver`, `retry` or `cancel`. */
  act = (dispatch: Body, action: string, headers?: Record<string, string>): Promise<Answer> =>
    this.admin.post(`/api/v1/dispatches/${dispatch.id}/${action}`, undefined, headers)

  /** Waits until a dispatch fulfils a condition. */
  async once(dispatch: Body, hold: (found: Body) => boolean): Promise<Body> {
    let found: Body
    await this.box.until('the dispatch fulfils the condition', async () => {
      found = await this.dispatch(dispatch.id)
      return hold(found)
    })
    return found
  }

  /** The last audit log entry of a resource. */
  async lastEntry(resource_id: string): Promise<Body> {
    const [entry] = await this.box.sql`
      select action, resource_type, actor_id, detail
      from audit_log_entries
      where resource_id = ${resource_id}
      order by id desc
      limit 1
    `
    return entry
  }

  /** A dispatch with its attempts. */
  dispatch = async (id: string): Promise<Body> => (await this.admin.get(`/api/v1/dispatches/${id}`)).body

  /** Lists a page of a hook's dispatches. */
  listed = async (hook: Body, query = ''): Promise<Body> =>
    (await this.admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches${query}`)).body

  /** Waits until a hook's dispatches fulfill a condition. @returns them with their attempts, oldest first */
  async dispatches(hook: Body, hold: (found: Body[]) => boolean): Promise<Body[]> {
    let found: Body[] = []
    await this.box.until('the dispatches fulfill the condition', async () => {
      const items: Body[] = (await this.listed(hook)).items.reverse()
      found = await Promise.all(items.map(({ id }) => this.dispatch(id)))
      return hold(found)
    })
    return found
  }

  /** Waits until the only dispatch of a hook is finished. */
  async settled(hook: Body): Promise<Body> {
    const [dispatch] = await this.dispatches(hook, ([first]) => first !== undefined && first.status !== 'pending')
    return dispatch
  }

  /** Waits until the first attempt of the only dispatch of a hook is recorded. */
  async tried(hook: Body): Promise<Body> {
    const [dispatch] = await this.dispatches(hook, ([first]) => first?.attempt_count >= 1)
    return dispatch
  }
}
