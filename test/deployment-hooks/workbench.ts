/** What tests of dispatches work with: hooks to receivers of their own, and their dispatches once something is true of them. */
import { expect } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Options, type Site, signalbox } from '../support/signalbox.ts'
import { type RawServer, rawServer } from './raw-server.ts'

type Body = Answer['body']

/** After so long an answer was read, on a busy machine as well: what has not been when its connection ends may be lost. */
export const READ_MS = 1_000

export class Workbench {
  readonly #stops: (() => Promise<unknown>)[] = []

  private constructor(
    readonly box: Box,
    readonly admin: Actor,
    readonly site: Site,
  ) {}

  static async open(options?: Options): Promise<Workbench> {
    const box = await signalbox(options)
    const admin = await box.user('Ada Lovelace')
    return new Workbench(box, admin, await box.site(admin))
  }

  async close(): Promise<void> {
    await this.box.close()
    await Promise.all(this.#stops.map((stop) => stop()))
  }

  /** A receiver that goes with the bench. */
  receiver(): Receiver {
    const receiver = new Receiver()
    this.#stops.push(() => receiver.stop())
    return receiver
  }

  /** A server of raw bytes that goes with the bench. */
  async raw(answer: Parameters<typeof rawServer>[0]): Promise<RawServer> {
    const server = await rawServer(answer)
    this.#stops.push(server.stop)
    return server
  }

  /** A hook in a project of its own. */
  async hookTo(url: string, input: object = {}): Promise<{ project: Body; hook: Body }> {
    const project = await this.admin.make(`/api/v1/workspaces/${this.site.workspace.id}/projects`, { name: 'Checkout' })
    const hook = await this.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      url,
      trigger_on: 'gate_approved',
      ...input,
    })
    return { project, hook }
  }

  /** A hook in a project of its own, to a receiver of its own. */
  async hooked(input: object = {}): Promise<{ project: Body; hook: Body; receiver: Receiver }> {
    const receiver = this.receiver()
    return { receiver, ...(await this.hookTo(`${receiver.url}/deploy?to=eu`, input)) }
  }

  /** Subscribes to how dispatches end, in one project or in all; returns who is sent that. */
  async subscribeToOutcomes(project?: Body): Promise<Receiver> {
    const receiver = this.receiver()
    await this.admin.subscribeToOutcomes(this.site.workspace.id, receiver.url, project?.id)
    return receiver
  }

  /** Approves a gate of a fresh execution. */
  async approve(project: Body): Promise<Body> {
    return this.box.approval(this.admin, (await this.box.running(this.admin, project.id)).id)
  }

  /** Sends a test.ping and waits for its outcome: a dispatch with its one attempt. */
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

  /** Does something to a dispatch: `redeliver`, `retry`, `cancel`. */
  act = (dispatch: Body, action: string, headers?: Record<string, string>): Promise<Answer> =>
    this.admin.post(`/api/v1/dispatches/${dispatch.id}/${action}`, undefined, headers)

  /** A dispatch once it is so. */
  async once(dispatch: Body, hold: (found: Body) => boolean): Promise<Body> {
    let found: Body
    await this.box.until('the dispatch is so', async () => {
      found = await this.dispatch(dispatch.id)
      return hold(found)
    })
    return found
  }

  /** The last entry of the audit log about something. */
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

  /** A page of a hook's dispatches. */
  listed = async (hook: Body, query = ''): Promise<Body> =>
    (await this.admin.get(`/api/v1/deployment-hooks/${hook.id}/dispatches${query}`)).body

  /** The hook's dispatches with their attempts, oldest first, once something is true of them. */
  async dispatches(hook: Body, hold: (found: Body[]) => boolean): Promise<Body[]> {
    let found: Body[] = []
    await this.box.until('its dispatches are so', async () => {
      const items: Body[] = (await this.listed(hook)).items.reverse()
      found = await Promise.all(items.map(({ id }) => this.dispatch(id)))
      return hold(found)
    })
    return found
  }

  /** The one dispatch of a hook, once it is not pending any more. */
  async settled(hook: Body): Promise<Body> {
    const [dispatch] = await this.dispatches(hook, ([first]) => first !== undefined && first.status !== 'pending')
    return dispatch
  }

  /** The one dispatch of a hook, once its first attempt is on record. */
  async tried(hook: Body): Promise<Body> {
    const [dispatch] = await this.dispatches(hook, ([first]) => first?.attempt_count >= 1)
    return dispatch
  }
}
