/** Shared by the tests of notifications: filling an inbox without a worker, and a client for the stream. */
import { PATIENCE_MS } from '../support/patience.ts'
import type { Actor, Answer, Box, Site } from '../support/signalbox.ts'

/** The types of notifications, in the order of the preferences. */
export const TYPES = [
  'gate_pending',
  'changes_requested',
  'gate_overridden',
  'execution_completed',
  'execution_failed',
  'budget_alert',
  'invitation_received',
  'member_added',
  'deployment_failed',
]

/** Inserts notifications for a user in one transaction, as the worker does. */
export async function fill({ sql }: Box, user: Actor, { organization, project }: Site, count: number, title = 'Filled') {
  await sql`
    with inbox as (
      insert into notification_inboxes as inbox (user_id, sequence, notified_at)
      values (${user.id}, ${count}, clock_timestamp())
      on conflict (user_id) do update
        set sequence    = inbox.sequence + excluded.sequence,
            notified_at = greatest(clock_timestamp(), inbox.notified_at + interval '1 millisecond')
      returning sequence, notified_at
    )
    insert into notifications (
      user_id, sequence, organization_id, workspace_id, project_id, source_id, type, title, body,
      resource_type, resource_id, created_at
    )
    select
      ${user.id}, inbox.sequence - ${count} + number, ${organization.id}, ${project.workspace_id}, ${project.id},
      gen_random_uuid(), 'gate_pending', ${title} || ' ' || number, 'Body', 'gate', gen_random_uuid(), inbox.notified_at
    from inbox
    cross join generate_series(1, ${count}::integer) as number
  `
}

/** A page of an inbox. */
export async function inboxOf(user: Actor, query = ''): Promise<Answer['body']> {
  const { status, body } = await user.get(`/api/v1/notifications${query}`)
  if (status !== 200) throw new Error(`The inbox was answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Waits for a number of notifications; returns them newest first. */
export async function waitForNotifications(box: Box, user: Actor, count: number): Promise<Answer['body'][]> {
  await box.until(`${user.name} has ${count} notifications`, async () => (await inboxOf(user)).total >= count)
  return (await inboxOf(user, '?page_size=100')).items
}

export interface StreamEvent {
  id: string
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests check the shape
  data: any
}

/** Reads a stream with fetch, as documented, and can reconnect. */
export class StreamClient {
  readonly events: StreamEvent[] = []
  comments = 0
  lastId = ''
  #connection: AbortController | null = null
  #watchers = new Set<() => void>()

  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  /** Connects and collects events. Returns the response's status and headers; `ended` resolves at the end of the stream. */
  async connect(base = this.base): Promise<{ status: number; headers: Headers; ended: Promise<void> }> {
    const connection = new AbortController()
    this.#connection = connection
    const response = await fetch(`${base}/api/v1/notifications/stream`, {
      headers: { Authorization: `Bearer ${this.token}`, ...(this.lastId && { 'Last-Event-ID': this.lastId }) },
      signal: connection.signal,
    })
    return { status: response.status, headers: response.headers, ended: response.ok ? this.#read(response) : Promise.resolve() }
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
        for (const watcher of this.#watchers) watcher()
      }
    } catch {
      // Disconnected; incomplete events are discarded.
    }
  }

  #take(block: string): void {
    if (block.startsWith(':')) this.comments += 1
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
    if (!fields.event) return
    this.lastId = fields.id
    this.events.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) })
  }

  /** Closes the connection, as a network failure would. */
  disconnect(): void {
    this.#connection?.abort()
  }

  titles = (): string[] => this.events.filter(({ event }) => event === 'notification').map(({ data }) => data.title)
  counts = (): number[] => this.events.filter(({ event }) => event === 'unread_count').map(({ data }) => data.unread_count)

  /** Resolves once a condition on the received events holds. */
  until(what: string, holds: () => boolean, patience = PATIENCE_MS): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!holds()) return
        clearTimeout(timer)
        this.#watchers.delete(check)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#watchers.delete(check)
        reject(new Error(`It never came to this: ${what}. Last came ${JSON.stringify(this.events.slice(-5))}`))
      }, patience)
      this.#watchers.add(check)
      check()
    })
  }
}
