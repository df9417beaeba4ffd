import { PATTERNS, SUBSCRIBABLE } from '../../core/events/catalogue.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import type { Subscription, SubscriptionInput } from './schema.ts'

/** Maximum number of subscriptions of a channel. */
export const MAX_SUBSCRIPTIONS = 100

const subscriptionColumns = sql`id, channel_id, event_pattern, filter_project_id, created_at`

export const listSubscriptions = (db: Queryable, channel: ResourceKey<'channel'>, { limit, after }: Slice) => db<Subscription[]>`
  select ${subscriptionColumns}
  from subscriptions
  where channel_id = ${channel.id} and organization_id = ${channel.organization_id}
    ${following(sql`created_at, id`, after)}
  order by created_at desc, id desc
  limit ${limit}
`

/** A subscription with the name of its project; null if it is for all projects. */
export interface NamedSubscription extends Subscription {
  project_name: string | null
}

/** The same, with the names of their projects. */
export const listNamedSubscriptions = (db: Queryable, channel: ResourceKey<'channel'>, slice: Slice) => db<NamedSubscription[]>`
  select
    subscription.id, subscription.channel_id, subscription.event_pattern, subscription.filter_project_id,
    subscription.created_at, project.name as project_name
  from (${listSubscriptions(db, channel, slice)}) as subscription
  left join projects as project
    on project.id = subscription.filter_project_id
    and project.organization_id = ${channel.organization_id}
  order by subscription.created_at desc, subscription.id desc
`

function checkPattern(pattern: string): void {
  if (PATTERNS.has(pattern)) return
  const families = [...new Set(SUBSCRIBABLE.map((name) => `${name.split('.')[0]}.*`))]
  const detail = `matches no event. Use the name of an event, * for all events, or one of ${families.join(', ')}; /docs/events lists all events`
  throw invalidField('/event_pattern', 'unknown_event', detail)
}

/** Locks the project until commit, so that it cannot be deleted meanwhile. */
async function requireProject(tx: Tx, project_id: string, { workspace_id, organization_id }: Resource<'channel'>): Promise<void> {
  const [project] = await tx`
    select id
    from projects
    where id = ${project_id}
      and workspace_id = ${workspace_id}
      and organization_id = ${organization_id}
    for key share
  `
  if (!project) throw invalidField('/filter_project_id', 'unknown', 'is not a project of this workspace')
}

/** Locks the channel, so that two concurrent requests cannot both take the last free place. @returns its name */
async function lockChannel(tx: Tx, { id, organization_id }: ResourceKey<'channel'>): Promise<string> {
  const [found] = await tx<{ name: string }[]>`
    select name from notification_channels where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!found) throw notFound('channel')
  return found.name
}

const limitReached = (): Problem =>
  new Problem('subscription_limit_reached', `A channel can have at most ${MAX_SUBSCRIPTIONS} subscriptions. Delete one first.`)

/**
 * Subscribes a channel to the events that match a pattern.
 * @throws Problem `subscription_limit_reached`; `already_exists` for a duplicate
 */
export async function createSubscription(tx: Tx, by: Caller, channel: Resource<'channel'>, input: SubscriptionInput) {
  checkPattern(input.event_pattern)
  const project_id = input.filter_project_id ?? null
  if (project_id) await requireProject(tx, project_id, channel)
  const name = await lockChannel(tx, channel)
  const [{ count, known }] = await tx<[{ count: number; known: boolean }]>`
    select
      count(*) as count,
      coalesce(
        bool_or(event_pattern = ${input.event_pattern} and filter_project_id is not distinct from ${project_id}::uuid),
        false
      ) as known
    from subscriptions
    where channel_id = ${channel.id} and organization_id = ${channel.organization_id}
  `
  if (known) throw new Problem('already_exists', 'The channel already has this subscription.')
  if (count >= MAX_SUBSCRIPTIONS) throw limitReached()
  const [subscription] = await tx<[Subscription]>`
    insert into subscriptions (organization_id, workspace_id, channel_id, event_pattern, filter_project_id, created_by)
    values (
      ${channel.organization_id}, ${channel.workspace_id}, ${channel.id}, ${input.event_pattern}, ${project_id}, ${by.id}
    )
    returning ${subscriptionColumns}
  `
  const detail = `${by.name} subscribed the channel ${name} to ${input.event_pattern}.`
  const about = { resource_type: 'subscription', resource_id: subscription.id }
  await record(tx, by, channel, { action: 'subscription.created', ...about, detail })
  return subscription
}

/**
 * Sets which events a channel sends: of all projects, or of one. What is chosen already stays as it is.
 * @param project_id null for the subscriptions to all projects
 * @returns how many there are then
 * @throws Problem `subscription_limit_reached`; 422 for an unknown event or project
 */
export async function setSubscriptions(
  tx: Tx,
  by: Caller,
  channel: Resource<'channel'>,
  project_id: string | null,
  event_patterns: string[],
): Promise<number> {
  const wanted = [...new Set(event_patterns)]
  for (const pattern of wanted) checkPattern(pattern)
  if (project_id) await requireProject(tx, project_id, channel)
  const { organization_id, workspace_id, id } = channel
  const name = await lockChannel(tx, channel)
  const all = await tx<Pick<Subscription, 'event_pattern' | 'filter_project_id'>[]>`
    select event_pattern, filter_project_id from subscriptions where channel_id = ${id} and organization_id = ${organization_id}
  `
  const before = all.filter((each) => each.filter_project_id === project_id).map(({ event_pattern }) => event_pattern)
  if (all.length - before.length + wanted.length > MAX_SUBSCRIPTIONS) throw limitReached()
  const changes = fieldChanges({ subscriptions: before.toSorted() }, { subscriptions: wanted.toSorted() })
  if (changes.length === 0) return wanted.length
  await tx`
    delete from subscriptions
    where channel_id = ${id}
      and organization_id = ${organization_id}
      and filter_project_id is not distinct from ${project_id}::uuid
      and event_pattern <> all(${wanted}::text[])
  `
  await tx`
    insert into subscriptions (organization_id, workspace_id, channel_id, event_pattern, filter_project_id, created_by)
    select ${organization_id}, ${workspace_id}, ${id}, pattern, ${project_id}, ${by.id}
    from unnest(${wanted.filter((pattern) => !before.includes(pattern))}::text[]) as pattern
  `
  const about = { resource_type: 'notification_channel', resource_id: id, what: `the notification channel ${name}` }
  await recordUpdate(tx, by, channel, about, changes)
  return wanted.length
}

/** Deletes a subscription. A trigger cancels pending messages that match no other subscription of the channel. */
export async function deleteSubscription(tx: Tx, by: Caller, subscription: Resource<'subscription'>, request: Request) {
  // Subscriptions never change, so any entity tag of one matches.
  requireMatch(request, '')
  // Locks the channel first, in the usual order: the trigger may change its pending messages.
  const [found] = await tx<{ name: string; event_pattern: string }[]>`
    select channel.name, subscription.event_pattern
    from notification_channels as channel
    join subscriptions as subscription
      on subscription.channel_id = channel.id
      and subscription.organization_id = channel.organization_id
    where subscription.id = ${subscription.id} and subscription.organization_id = ${subscription.organization_id}
    for no key update of channel
  `
  const gone = await tx`
    delete from subscriptions where id = ${subscription.id} and organization_id = ${subscription.organization_id}
  `
  if (!found || gone.count === 0) throw notFound('subscription')
  const detail = `${by.name} ended the subscription of the channel ${found.name} to ${found.event_pattern}.`
  const about = { resource_type: 'subscription', resource_id: subscription.id }
  await record(tx, by, subscription, { action: 'subscription.deleted', ...about, detail })
  return null
}
