/** The fixture of rollout tests: hooks whose receivers report. */
import { expect } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

export const REPORT_TOKEN = 'x-signalbox-report-token'
export const REPORT_URL = 'x-signalbox-report-url'

export class RolloutWorkbench extends Workbench {
  /** Creates a project with a hook whose receiver reports. */
  reporting(input: object = {}): Promise<{ project: Body; hook: Body; receiver: Receiver }> {
    return this.hooked({ report_within_seconds: 600, ...input })
  }

  /** Triggers a hook, and waits until the dispatch is delivered or has failed. */
  async triggered(hook: Body): Promise<Body> {
    const { status, body } = await this.ask(hook, 'trigger', undefined, { Prefer: 'wait=20' })
    expect(status).toBe(200)
    return body
  }

  /** The report token that the receiver of a dispatch got. */
  async tokenOf(receiver: Receiver, dispatch: Body): Promise<string> {
    const [request] = await receiver.waitFor(1, ({ headers }) => headers['x-signalbox-delivery'] === dispatch.id)
    return request?.headers[REPORT_TOKEN] ?? ''
  }

  /** Reports as the admin. */
  report = (dispatch: Body, input: object): Promise<Answer> => this.admin.post(`/api/v1/dispatches/${dispatch.id}/report`, input)

  /** Reports with a token. */
  reportWith = (token: string, dispatch: Body, input: object): Promise<Answer> =>
    this.box.request('POST', `/api/v1/dispatches/${dispatch.id}/report`, input, { Authorization: `Bearer ${token}` })

  /** Triggers a hook and reports an outcome. */
  async rolledOut(hook: Body, input: object): Promise<Body> {
    const dispatch = await this.triggered(hook)
    const { status, body } = await this.report(dispatch, input)
    expect([status, body.code]).toEqual([200, undefined])
    return body
  }

  /** Moves the deadline of a rollout into the past, and waits until the sweep has seen it. */
  async expire(dispatch: Body): Promise<Body> {
    await this.box.sql`update rollouts set deadline_at = now() - interval '1 second' where id = ${dispatch.id}`
    return this.once(dispatch, ({ rollout }) => rollout.state === 'unknown')
  }

  /** Resolves when no event waits for a drain and no message is on its way. */
  quiet(): Promise<void> {
    return this.box.until('nothing waits', async () => {
      const [{ idle }] = await this.box.sql<[{ idle: boolean }]>`
        select not exists (select 1 from waiting_events)
          and not exists (select 1 from deliveries where kind = 'message') as idle
      `
      return idle
    })
  }

  environments = async (project: Body, query = ''): Promise<Body> =>
    (await this.admin.get(`/api/v1/projects/${project.id}/environments${query}`)).body

  history = async (project: Body, environment: string, query = ''): Promise<Body> =>
    (await this.admin.get(`/api/v1/projects/${project.id}/environments/${encodeURIComponent(environment)}/rollouts${query}`)).body

  /** Subscribes a channel to events of rollouts. @returns the receiver of these events */
  async subscribe(project: Body, event_pattern = 'rollout.*'): Promise<Receiver> {
    const receiver = this.receiver()
    const { id } = await this.admin.make(`/api/v1/workspaces/${this.site.workspace.id}/notification-channels`, {
      name: 'Rollouts',
      channel_type: 'webhook',
      config: { url: receiver.url },
    })
    await this.admin.make(`/api/v1/notification-channels/${id}/subscriptions`, { event_pattern, filter_project_id: project.id })
    return receiver
  }
}
