/** A signed-in user of a box, and the organization they work in. */
import type { Box } from './box.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape is held against the API's own document
  body: any
}

/** The password of every test user. */
export const PASSWORD = 'correct horse battery staple'

/** A signed-in user. Every response is validated against the OpenAPI document. */
export class Actor {
  constructor(
    private readonly box: Box,
    readonly name: string,
    readonly email: string,
    readonly id: string,
    public token: string,
    readonly refreshToken: string,
  ) {}

  request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.box.request(method, path, body, { Authorization: `Bearer ${this.token}`, ...headers })
  }

  get = (path: string, headers?: Record<string, string>) => this.request('GET', path, undefined, headers)
  post = (path: string, body?: unknown, headers?: Record<string, string>) => this.request('POST', path, body, headers)
  put = (path: string, body?: unknown, headers?: Record<string, string>) => this.request('PUT', path, body, headers)
  delete = (path: string, headers?: Record<string, string>) => this.request('DELETE', path, undefined, headers)

  /** The same user with another token: of another session, or a personal token. */
  as(token: string): Actor {
    return new Actor(this.box, this.name, this.email, this.id, token, '')
  }

  /** Posts a request that must succeed. @returns the body of the response */
  async make(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer['body']> {
    const answer = await this.post(path, body, headers)
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /**
   * Subscribes a channel to `deployment.*`, whose events are emitted only if a subscription matches.
   *
   * @param url null for a disabled channel: events are emitted, but not sent
   */
  async subscribeToOutcomes(workspace_id: string, url: string | null, project_id: string | null = null): Promise<void> {
    const channel = {
      name: 'Outcomes',
      channel_type: 'webhook',
      config: { url: url ?? 'http://127.0.0.1:9/' },
      enabled: url !== null,
    }
    const { id } = await this.make(`/api/v1/workspaces/${workspace_id}/notification-channels`, channel)
    const subscription = { event_pattern: 'deployment.*', filter_project_id: project_id }
    await this.make(`/api/v1/notification-channels/${id}/subscriptions`, subscription)
  }
}

/** An organization with a workspace and a project. */
export interface Site {
  organization: Answer['body']
  workspace: Answer['body']
  project: Answer['body']
}
