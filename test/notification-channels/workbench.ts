/** The fixture of channel tests: creates channels with subscriptions, and waits for states of their logs. */
import { expect } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { BaseWorkbench } from '../support/workbench.ts'

type Body = Answer['body']

export class Workbench extends BaseWorkbench {
  get path(): string {
    return `/api/v1/workspaces/${this.site.workspace.id}/notification-channels`
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

  /** Creates a channel that is subscribed to events of a new project. */
  async subscribedChannel(
    channel_type: string,
    config: object,
    pattern = 'gate.pending',
  ): Promise<{ channel: Body; project: Body }> {
    const [channel, project] = await Promise.all([this.channel(channel_type, config), this.project()])
    await this.subscribe(channel, pattern, project)
    return { channel, project }
  }

  /** Starts an execution and opens a gate, which emits one `gate.pending`. */
  async openGate(project: Body, input: object = {}): Promise<Body> {
    const execution = await this.box.running(this.admin, project.id)
    return this.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review', ...input })
  }

  /** Sends a test message and waits until it is finished. */
  async tested(channel: Body): Promise<Body> {
    const { status, body } = await this.admin.post(`${this.path}/${channel.id}/test`, undefined, { Prefer: 'wait=25' })
    expect(status).toBe(200)
    return body
  }

  /** The health of a channel; zeros for one that has never failed. */
  async health(channel: Body): Promise<{ failures: number; held_until: string | null }> {
    const [health] = await this.box.sql<[{ failures: number; held_until: string | null }]>`
      select coalesce(max(failures), 0) as failures, max(held_until) as held_until from lane_health where lane_id = ${channel.id}
    `
    return health
  }

  log = async (channel: Body, query = ''): Promise<Body[]> =>
    (await this.admin.get(`/api/v1/notification-channels/${channel.id}/logs${query}`)).body

  /** Waits until the log of a channel, newest first, fulfils a condition. */
  async logged(channel: Body, holds: (entries: Body[]) => boolean): Promise<Body[]> {
    let found: Body[] = []
    await this.box.until('the log fulfils the condition', async () => {
      found = await this.log(channel)
      return holds(found)
    })
    return found
  }

  /** Waits until the only entry of a channel is finished. */
  async settled(channel: Body): Promise<Body> {
    const [entry] = await this.logged(channel, ([first]) => first !== undefined && first.status !== 'pending')
    return entry
  }

  /** Waits until the first attempt of the only entry of a channel is recorded. */
  async tried(channel: Body): Promise<Body> {
    const [entry] = await this.logged(channel, ([first]) => first?.attempt_count >= 1)
    return entry
  }
}
