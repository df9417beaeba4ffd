/** From an event to the channels that subscribe to it. */
import { wakeChannels } from '../../core/jobs.ts'
import { createMessages, MAX_ATTEMPTS, type NewMessage, patternsOf, SUBSCRIBABLE } from '../../core/notification-channels.ts'
import type { Tx } from '../../sql/index.ts'
import { type DrainedEvent, surroundingsOf } from '../outbox/fan-out.ts'

const told = new Set(SUBSCRIBABLE)

type Match = Omit<NewMessage, 'max_attempts'>

/**
 * The channels of each event. An event of the organization as a whole is for every workspace, and for subscriptions
 * to no one project. Channel and subscription are held until the commit: who deletes either meanwhile waits, and then
 * finds the messages that are written here.
 */
function matches(tx: Tx, events: DrainedEvent[]): Promise<Match[]> {
  const wanted = events.map(({ id, organization_id, workspace_id, project_id, name }) => ({
    event_id: id,
    organization_id,
    workspace_id,
    project_id,
    patterns: patternsOf(name),
  }))
  return tx<Match[]>`
    select event.event_id, channel.id as channel_id, channel.organization_id, channel.workspace_id
    from jsonb_to_recordset(${tx.json(wanted)}) as event (
      event_id uuid, organization_id uuid, workspace_id uuid, project_id uuid, patterns text[]
    )
    join subscriptions as subscription
      on subscription.organization_id = event.organization_id
      and subscription.event_pattern = any(event.patterns)
      and (event.workspace_id is null or subscription.workspace_id = event.workspace_id)
      and (subscription.filter_project_id is null or subscription.filter_project_id = event.project_id)
    join notification_channels as channel
      on channel.id = subscription.channel_id
      and channel.organization_id = subscription.organization_id
    where channel.enabled
    order by channel.id, event.event_id
    for key share of channel, subscription
  `
}

/** Writes the messages of a batch of events, in the order of the events, and wakes their channels. */
export async function fanOutToChannels(tx: Tx, events: DrainedEvent[]): Promise<void> {
  const candidates = events.filter(({ name }) => told.has(name))
  if (candidates.length === 0) return
  const found = await matches(tx, candidates)
  if (found.length === 0) return
  // Two subscriptions of one channel that fit the same event are one message.
  const byEvent = new Map<string, Map<string, Match>>()
  for (const match of found) {
    const channels = byEvent.get(match.event_id) ?? new Map<string, Match>()
    byEvent.set(match.event_id, channels.set(match.channel_id, match))
  }
  const matched = candidates.filter(({ id }) => byEvent.has(id))
  await createMessages(
    tx,
    matched.map((event) => ({ ...event, surroundings: surroundingsOf(event) })),
    matched.flatMap(({ id }) =>
      [...(byEvent.get(id)?.values() ?? [])].map((match) => ({ ...match, max_attempts: MAX_ATTEMPTS })),
    ),
  )
  await wakeChannels(tx, [...new Set(found.map(({ channel_id }) => channel_id))])
}
