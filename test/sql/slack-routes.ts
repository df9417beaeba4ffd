/** Slack in the walk over every route: threads, clicks, and identities. */

import type { Actor } from '../support/signalbox.ts'
import { buttonsOf, interact, type Posted, SlackServer, signed } from '../support/slack.ts'
import type { Context, Walk } from './walk.ts'

const V1 = '/api/v1'
const EXECUTION = `${V1}/executions/{execution_id}`

/** Calls the routes of Slack, and runs what workers do for it. */
export async function slackRoutes(walk: Walk, { box }: Context, ada: Actor, grace: Actor): Promise<void> {
  const slack = new SlackServer()
  const { channel_id: former } = walk.ids
  const channels = `${V1}/workspaces/{workspace_id}/notification-channels`
  await walk.create(ada, channels, 'channel_id', { name: 'Slack', channel_type: 'slack', config: slack.config })
  await walk.create(ada, `${V1}/notification-channels/{channel_id}/subscriptions`, 'subscription_id', {
    event_pattern: 'execution.*',
  })
  await walk.create(ada, `${V1}/notification-channels/{channel_id}/subscriptions`, 'subscription_id', {
    event_pattern: 'gate.pending',
  })
  const { gate_id } = walk.ids
  await walk.create(grace, `${V1}/requirements/{requirement_id}/executions`, 'execution_id', { agent: 'claude' })
  await walk.call(grace, `POST ${EXECUTION}/start`)
  const shows = (what: string, holds: () => boolean) => box.until(what, async () => holds())
  const buttons = () => slack.messages.filter((message) => buttonsOf(message).length > 0)
  const gate = async (): Promise<Posted> => {
    const before = buttons().length
    await walk.create(grace, `${EXECUTION}/gates`, 'gate_id', { name: 'Release review', required_approvals: 2 })
    await shows('the gate', () => buttons().length > before)
    const message = buttons().at(-1) as Posted
    await box.until(
      'it is on record',
      async () => (await box.sql`select from slack_gate_messages where ts = ${message.ts}`).length > 0,
    )
    return message
  }

  const message = await gate()
  await slack.click(box, message, 'Approve', 'U0ADA')
  await shows('the link', () => slack.ephemerals.length === 1)
  await box.sql`
    insert into user_identities (user_id, provider, team_id, external_id)
    select ${ada.id}, 'slack', team_id, external_id from slack_link_tokens
  `
  const form = signed(slack.interaction(message, 'Approve', 'U0ADA'))
  await interact(box, form)
  await walk.call(box, 'POST /slack/interactions', form.body, form.headers)
  await shows('the approval', () => JSON.stringify(message.blocks).includes('1 of 2'))
  await slack.click(box, message, 'Approve', 'U0ADA')
  await shows('the refusal', () => slack.ephemerals.length === 2)
  const other = await gate()
  slack.delete(message)
  await slack.click(box, other, 'Reject', 'U0ADA')
  await shows('the decision', () => buttonsOf(other).length === 0)
  await box.until('no message waits', async () => (await box.sql`select from deliveries`).length === 0)

  const { body } = await walk.call(ada, `GET ${V1}/users/me/identities`)
  walk.ids.identity_id = body[0].id
  await walk.call(ada, `DELETE ${V1}/users/me/identities/{identity_id}`)
  Object.assign(walk.ids, { gate_id })
  await walk.call(ada, `DELETE ${channels}/{channel_id}`)
  Object.assign(walk.ids, { channel_id: former })
  await slack.stop()
}
