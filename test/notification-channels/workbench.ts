/** What tests of channels work with: channels to receivers of their own, and their logs once something is true of them. */
import { expect } from 'bun:test'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, type Options, type Site, signalbox } from '../support/signalbox.ts'

type Body = Answer['body']

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
  receiver(receiver = new Receiver()): Receiver {
    this.#stops.push(() => receiver.stop())
    return receiver
  }

  /** Stops with the bench. */
  with<Thing extends { stop(): Promise<unknown> }>(thing: Thing): Thing {
    this.#stops.push(() => thing.stop())
    return thing
  }

  get path(): string {
    return `/api/v1/workspaces/${this.site.workspace.id}/notification-channels`
  }

  /** A project of its own, so that what happens in one test reaches no other. */
  project(name = 'Checkout'): Promise<Body> {
    return this.admin.make(`/api/v1/workspaces/${this.site.workspace.id}/projects`, { name })
  }

  channel(channel_type: string, config: object, input: object = {}): Promise<Body> {
    return this.admin.make(this.path, { name: 'Release room', channel_type, config, ...input })
  }

  subscribe(channel: Body, event_pattern: string, project?: Body): Promise<Body> {
    return this.admin.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, {
      event_pattern,
      filter_project_id: project?.id ?? null,
    })
  }

  /** A channel that is told of the gates of a project of its own. */
  async told(channel_type: string, config: object, pattern = 'gate.pending'): Promise<{ channel: Body; project: Body }> {
    const [channel, project] = await Promise.all([this.channel(channel_type, config), this.project()])
    await this.subscribe(channel, pattern, project)
    return { channel, project }
  }

  /** Opens a gate in a fresh execution: one `gate.pending`. */
  async openGate(project: Body, input: object = {}): Promise<Body> {
    const execution = await this.box.running(this.admin, project.id)
    return this.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review', ...input })
  }

  /** Sends a test and waits for its outcome. */
  async tested(channel: Body): Promise<Body> {
    const { status, body } = await this.admin.post(`${this.path}/${channel.id}/test`, undefined, { Prefer: 'wait=25' })
    expect(status).toBe(200)
    return body
  }

  /** How a channel responded until now; of one that never failed nothing is known. */
  async health(channel: Body): Promise<{ failures: number; held_until: string | null }> {
    const [health] = await this.box.sql<[{ failures: number; held_until: string | null }]>`
      select coalesce(max(failures), 0) as failures, max(held_until) as held_until from lane_health where lane_id = ${channel.id}
    `
    return health
  }

  log = async (channel: Body, query = ''): Promise<Body[]> =>
    (await this.admin.get(`/api/v1/notification-channels/${channel.id}/logs${query}`)).body

  /** The channel's log, newest first, once something is true of it. */
  async logged(channel: Body, holds: (entries: Body[]) => boolean): Promise<Body[]> {
    let found: Body[] = []
    await this.box.until('its log is so', async () => {
      found = await this.log(channel)
      return holds(found)
    })
    return found
  }

  /** The one entry of a channel, once it is not pending any more. */
  async settled(channel: Body): Promise<Body> {
    const [entry] = await this.logged(channel, ([first]) => first !== undefined && first.status !== 'pending')
    return entry
  }

  /** The one entry of a channel, once its first attempt is on record. */
  async tried(channel: Body): Promise<Body> {
    const [entry] = await this.logged(channel, ([first]) => first?.attempt_count >= 1)
    return entry
  }
}
