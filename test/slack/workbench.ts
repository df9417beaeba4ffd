/** The fixture of tests with Slack: channels that post as a bot, gates in them, and people who click. */
import { expect } from 'bun:test'
import { Workbench } from '../notification-channels/workbench.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { buttonsOf, type Posted, SlackServer, TEAM } from '../support/slack.ts'

type Body = Answer['body']

/** A channel of Slack with its stand-in. */
export interface Room {
  slack: SlackServer
  channel: Body
  project: Body
}

/** The path of the newest link that a person was shown; null if there is none. */
export function linkPathIn({ ephemerals }: SlackServer, user: string): string | null {
  const texts = ephemerals.filter((each) => each.user === user).map(({ text }) => text)
  return /<http[^|>]*(\/link\/slack\?token=[\w-]{43})\|/.exec(texts.at(-1) ?? '')?.[1] ?? null
}

export class SlackWorkbench extends Workbench {
  /** Creates a channel that posts as a bot about the events of a new project. */
  async room(pattern = '*', config: object = {}): Promise<Room> {
    const slack = this.with(new SlackServer())
    return { slack, ...(await this.subscribedChannel('slack', { ...slack.config, ...config }, pattern)) }
  }

  /** Waits until the log of a channel has that many entries, all of them succeeded. */
  sent({ channel }: Room, count: number): Promise<Body[]> {
    return this.logged(channel, (entries) => entries.length >= count && entries.every(({ status }) => status === 'succeeded'))
  }

  /** Opens a gate in a room that is subscribed to `gate.pending`. @returns the gate and its message, with buttons */
  async gateIn(room: Room, input: object = {}): Promise<{ gate: Body; message: Posted }> {
    const gate = await this.openGate(room.project, input)
    const holds = (message: Posted) => buttonsOf(message).some(({ value = '' }) => value.includes(gate.id))
    await this.box.until('the gate is shown', async () => room.slack.messages.some(holds))
    const message = room.slack.messages.find(holds) as Posted
    await this.box.until('its message is on record', () => this.isOnRecord(room, message))
    return { gate, message }
  }

  /** Whether the service knows that it has posted a message: clicks count from then on. */
  async isOnRecord({ channel }: Room, { ts }: Posted): Promise<boolean> {
    const rows = await this.box.sql`
      select 1 from slack_gate_messages where channel_id = ${channel.id} and ts = ${ts}
      union all
      select 1 from slack_threads where channel_id = ${channel.id} and ts = ${ts}
    `
    return rows.length > 0
  }

  /** Waits until a condition on what Slack shows holds. */
  shows = (what: string, holds: () => boolean): Promise<void> => this.box.until(what, async () => holds())

  /** Links a Slack account to a user. */
  async link(actor: Actor, external_id: string, team_id = TEAM): Promise<void> {
    await this.box.sql`
      insert into user_identities (user_id, provider, team_id, external_id)
      values (${actor.id}, 'slack', ${team_id}, ${external_id})
    `
  }

  /** A user with a role in the workspace and a linked Slack account. */
  async approver(name: string, external_id: string, role: 'admin' | 'member' = 'admin'): Promise<Actor> {
    const actor = await this.box.user(name)
    await this.box.join(actor, this.site, 'member', role)
    await this.link(actor, external_id)
    return actor
  }

  /** A gate as the API shows it. */
  gate = async ({ id }: Body): Promise<Body> => (await this.admin.get(`/api/v1/gates/${id}`)).body

  async expectPending(gate: Body): Promise<void> {
    expect(await this.gate(gate)).toMatchObject({ status: 'pending', approvals: [] })
  }
}
