/** Fans events out to the channels that subscribe to them. */
import { markLanesChanged } from '../../core/delivery/lanes.ts'
import { patternsOf, SUBSCRIBABLE } from '../../core/events/catalogue.ts'
import { createMessages, MAX_ATTEMPTS } from '../../core/notification-channels/messages.ts'
import type { ChannelType, ConfigOf } from '../../core/notification-channels/types.ts'
import type { Tx } from '../../sql/index.ts'
import { type DrainedEvent, namedScopeOf, organizationsOf } from '../outbox/drained-event.ts'
import type { ChannelMatch } from './sender.ts'
import { senderOf, UPDATED_TYPES } from './senders.ts'

const subscribable = new Set(SUBSCRIBABLE)

function isUpdated<Type extends ChannelType>(type: Type, config: ConfigOf<Type>): boolean {
  return senderOf(type)?.updates?.isFor(config) ?? false
}

const ofType = (matches: ChannelMatch[], type: ChannelType): ChannelMatch[] =>
  matches.filter(({ channel_type }) => channel_type === type)

/**
 * The channels that subscribe to each event. An event of the whole organization matches subscriptions of all its workspaces, except those
 * that are limited to a project. Channels and subscriptions are locked until the commit: a transaction that deletes one of them
 * waits, and then sees the messages that are written here. If several subscriptions of a channel match an event, it is returned
 * once.
 */
async function findSubscribed(tx: Tx, events: DrainedEvent[]): Promise<ChannelMatch[]> {
  const wanted = events
    .filter(({ name }) => subscribable.has(name))
    .map(({ id, organization_id, workspace_id, project_id, name }) => ({
      event_id: id,
      organization_id,
      workspace_id,
      project_id,
      patterns: patternsOf(name),
    }))
  if (wanted.length === 0) return []
  const matches = await tx<(Omit<ChannelMatch, 'is_updated'> & { config: ConfigOf })[]>`
    select
      event.event_id, channel.id as channel_id, channel.organization_id, channel.workspace_id, channel.channel_type,
      channel.config
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
  const found = matches.map(({ config, ...match }) => ({ ...match, is_updated: isUpdated(match.channel_type, config) }))
  return [...new Map(found.map((match) => [`${match.event_id} ${match.channel_id}`, match])).values()]
}

/** The channels of each event: those that subscribe to it, and those whose messages it changes. */
export async function findChannels(tx: Tx, events: DrainedEvent[]): Promise<ChannelMatch[]> {
  const finding = UPDATED_TYPES.map(async ({ type, updates }) => ({ type, updatedBy: await updates.find(tx, events) }))
  const [matches, found] = await Promise.all([findSubscribed(tx, events), Promise.all(finding)])
  return [...matches, ...found.flatMap(({ type, updatedBy }) => updatedBy(ofType(matches, type)))]
}

/** @returns the lanes with something to send */
export async function fanOutToChannels(tx: Tx, events: DrainedEvent[], matches: ChannelMatch[], leaseTo: string | null) {
  if (matches.length === 0) return []
  const byEvent = Map.groupBy(matches, ({ event_id }) => event_id)
  const matched = events.filter(({ id }) => byEvent.has(id))
  const scoped = matched.map((event) => ({ ...event, scope: namedScopeOf(event) }))
  const perEvent = matched.flatMap(({ id }) => byEvent.get(id) ?? [])
  const messages = perEvent.map((match) => ({ ...match, max_attempts: MAX_ATTEMPTS }))
  await createMessages(tx, scoped, messages)
  for (const { type, updates } of UPDATED_TYPES) await updates.fanOut(tx, events, ofType(matches, type))
  return markLanesChanged(tx, organizationsOf(matched), [...new Set(matches.map(({ channel_id }) => channel_id))], leaseTo)
}
