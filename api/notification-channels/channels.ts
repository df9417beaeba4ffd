import { createLane, resetHealth } from '../../core/delivery/lanes.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { cancelPendingMessages, createMessages } from '../../core/notification-channels/messages.ts'
import type { ChannelType, ConfigOf } from '../../core/notification-channels/types.ts'
import { channelColumns, decryptConfig, encryptConfig, isSecret } from '../../core/notification-channels/types.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { NamedScope, Scope } from '../../core/tenants/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { FieldChange } from '../audit-logs/changes.ts'
import { changedFields, fieldChanges, recordUpdate, secretChange, secretChanges } from '../audit-logs/changes.ts'
import { readOr } from '../credentials/unreadable-secrets.ts'
import { wakeDestination } from '../lanes/lanes.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import { getLogEntry } from './logs.ts'
import { checkConfig, requireReadableConfig, unreadableConfig } from './rules.ts'
import type { Channel, ChannelInput, ChannelUpdate, LogEntry } from './schema.ts'

const MAX_CHANNELS = 100

export async function getChannel(db: Queryable, { id, organization_id }: ResourceKey<'channel'>): Promise<Channel> {
  const [channel] = await db<Channel[]>`
    select ${channelColumns} from notification_channels where id = ${id} and organization_id = ${organization_id}
  `
  if (!channel) throw notFound('channel')
  return channel
}

export const listChannels = (db: Queryable, workspace: ResourceKey<'workspace'>, { limit, after }: Slice) => db<Channel[]>`
  select ${channelColumns}
  from notification_channels
  where workspace_id = ${workspace.id} and organization_id = ${workspace.organization_id}
    ${following(sql`created_at, id`, after)}
  order by created_at desc, id desc
  limit ${limit}
`

const recordChannel = (tx: Tx, by: Caller, scope: Scope, id: string, participle: string, detail: string) =>
  record(tx, by, scope, {
    action: `notification_channel.${participle}`,
    resource_type: 'notification_channel',
    resource_id: id,
    detail: `${by.name} ${detail}`,
  })

/** Creates a channel and its lane. @throws Problem `channel_limit_reached`, and those of `checkConfig` */
export async function createChannel(tx: Tx, by: Caller, workspace: Resource<'workspace'>, input: ChannelInput): Promise<Channel> {
  const { config, secrets } = await encryptConfig(input.channel_type, checkConfig(input.channel_type, input.config, null))
  // Locks the workspace, so that two concurrent requests cannot both take the last free place.
  await tx`
    select from workspaces
    where id = ${workspace.workspace_id} and organization_id = ${workspace.organization_id}
    for no key update
  `
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) as count
    from notification_channels
    where workspace_id = ${workspace.workspace_id} and organization_id = ${workspace.organization_id}
  `
  if (count >= MAX_CHANNELS) {
    const detail = `A workspace can have at most ${MAX_CHANNELS} notification channels. Delete one first.`
    throw new Problem('channel_limit_reached', detail)
  }
  const [channel] = await tx<[Channel]>`
    insert into notification_channels (organization_id, workspace_id, name, channel_type, config, secrets, enabled, created_by)
    values (
      ${workspace.organization_id}, ${workspace.workspace_id}, ${input.name}, ${input.channel_type},
      ${tx.json(config)}, ${secrets}, ${input.enabled ?? true}, ${by.id}
    )
    returning ${channelColumns}
  `
  await createLane(tx, 'channel', channel.id, workspace.organization_id, false)
  await recordChannel(tx, by, workspace, channel.id, 'created', `created the ${channel.channel_type} channel ${channel.name}.`)
  return channel
}

/** A channel that is locked until commit, with its masked config and its encrypted secrets. */
interface LockedChannel extends Channel {
  secrets: Uint8Array
  target_since: string
}

async function lockChannel(tx: Tx, { id, organization_id }: ResourceKey<'channel'>): Promise<LockedChannel> {
  const [channel] = await tx<LockedChannel[]>`
    select ${channelColumns}, secrets, target_since
    from notification_channels
    where id = ${id} and organization_id = ${organization_id}
    for no key update
  `
  if (!channel) throw notFound('channel')
  return channel
}

/** Whether all given fields have the values that the API shows. */
const isShownIn = (config: object, given: Record<string, unknown>): boolean =>
  Object.keys(given).every((field) => Object.hasOwn(config, field)) &&
  changedFields(config as Record<string, unknown>, given) === null

/** The stored config, with `UNREADABLE` for secrets that no key decrypts. */
const readConfig = (stored: LockedChannel): Promise<ConfigOf> =>
  readOr(unreadableConfig(stored.channel_type, stored.config) as ConfigOf, () => decryptConfig(stored))

function configChanges(type: ChannelType, stored: ConfigOf, config: ConfigOf): FieldChange[] {
  const [before, after] = [new Map(Object.entries(stored)), new Map(Object.entries(config))]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [field, from, to] = [`config.${name}`, before.get(name), after.get(name)]
    if (!isSecret(type, name)) return fieldChanges({ [field]: from }, { [field]: to })
    if (typeof (from ?? to) === 'object') return secretChanges(field, from ?? {}, to ?? {})
    return secretChange(field, from, to)
  })
}

/**
 * Updates the fields that differ. Pending messages are sent to the channel as it is then, or are cancelled if it was disabled.
 * @throws Problem `precondition_failed`, and those of `checkConfig`
 */
export async function updateChannel(tx: Tx, by: Caller, channel: Resource<'channel'>, input: ChannelUpdate, request: Request) {
  const before = await lockChannel(tx, channel)
  if (input.channel_type !== undefined && input.channel_type !== before.channel_type)
    throw invalidField('/channel_type', 'unchangeable', `is ${before.channel_type} and cannot be changed; create another channel`)
  const { config: sent, channel_type: _, ...plain } = input
  // Fields as the API shows them change nothing.
  const given = sent && isShownIn(before.config, sent) ? undefined : sent
  const stored = given && (await readConfig(before))
  const config = given && stored && checkConfig(before.channel_type, given, stored)
  requireMatch(request, before.updated_at)
  const changed = changedFields(before, plain) ?? {}
  const inConfig = stored && config ? configChanges(before.channel_type, stored, config) : []
  const changes = [...fieldChanges(before, changed), ...inConfig]
  if (changes.length === 0) return getChannel(tx, channel)
  if (config && inConfig.length > 0) await storeConfig(tx, channel, before, config)
  const columns = { ...changed, ...(changed.enabled && { disabled_reason: null }) }
  if (Object.keys(columns).length > 0) {
    await tx`
      update notification_channels set ${tx(columns)} where id = ${channel.id} and organization_id = ${channel.organization_id}
    `
  }
  if (changed.enabled === false) await cancelPendingMessages(tx, channel.organization_id, channel.id)
  await recordChannelUpdate(tx, by, channel, before, changes)
  if (inConfig.length > 0 || changed.enabled) await restart(tx, channel)
  return getChannel(tx, channel)
}

/** Stores a new config. Pending messages are sent with it, also to recipients that the mail server rejected before. */
async function storeConfig(
  tx: Tx,
  channel: ResourceKey<'channel'>,
  { channel_type, target_since }: LockedChannel,
  open: ConfigOf,
): Promise<void> {
  const { config, secrets } = await encryptConfig(channel_type, open)
  await tx`
    update notification_channels
    set config       = ${tx.json(config)},
        secrets      = ${secrets},
        -- Always a new value: the result of a request in flight is compared with the value it was sent under.
        target_since = greatest(now(), ${target_since}::timestamptz + interval '1 millisecond')
    where id = ${channel.id} and organization_id = ${channel.organization_id}
  `
  await tx`
    update channel_attempts as attempt
    set refused = '{}'
    from deliveries as delivery
    where delivery.lane_id = ${channel.id}
      and delivery.organization_id = ${channel.organization_id}
      and attempt.message_id = delivery.id
      and attempt.organization_id = ${channel.organization_id}
      and attempt.refused <> '{}'
  `
}

/** With a new config, or when enabled again, failures count from zero and a `Retry-After` no longer applies. */
async function restart(tx: Tx, channel: ResourceKey<'channel'>): Promise<void> {
  await resetHealth(tx, channel.organization_id, channel.id)
  await wakeDestination(tx, channel.organization_id, channel.id)
}

function recordChannelUpdate(tx: Tx, by: Caller, channel: Resource<'channel'>, { name }: Channel, changes: FieldChange[]) {
  const about = { resource_type: 'notification_channel', resource_id: channel.id, what: `the notification channel ${name}` }
  return recordUpdate(tx, by, channel, about, changes)
}

/**
 * Sets fields of the config of a channel that a service gave, and no person typed.
 * @returns null if the channel is of another type
 * @throws Problem `not_found`; `secrets_must_be_resent`
 */
export async function setConfigFields<Type extends ChannelType>(
  tx: Tx,
  by: Caller,
  channel: Resource<'channel'>,
  type: Type,
  fields: Partial<ConfigOf<Type>>,
): Promise<Channel | null> {
  const before = await lockChannel(tx, channel)
  if (before.channel_type !== type) return null
  const stored = await readConfig(before)
  const config = { ...stored, ...fields }
  requireReadableConfig(config)
  const changes = configChanges(before.channel_type, stored, config)
  if (changes.length === 0) return getChannel(tx, channel)
  await storeConfig(tx, channel, before, config)
  await recordChannelUpdate(tx, by, channel, before, changes)
  await restart(tx, channel)
  return getChannel(tx, channel)
}

/** Deletes a channel with its subscriptions and its log. The result of a message in flight is not recorded. */
export async function deleteChannel(tx: Tx, by: Caller, channel: Resource<'channel'>, request: Request): Promise<null> {
  const before = await lockChannel(tx, channel)
  requireMatch(request, before.updated_at)
  await recordChannel(tx, by, channel, channel.id, 'deleted', `deleted the notification channel ${before.name} and its log.`)
  await tx`delete from notification_channels where id = ${channel.id} and organization_id = ${channel.organization_id}`
  return null
}

async function namedScopeOf(tx: Tx, { organization_id, workspace_id }: Resource<'channel'>): Promise<NamedScope> {
  const [names] = await tx<[Omit<NamedScope, 'project'>]>`
    select
      jsonb_build_object('id', organization.id, 'name', organization.name) as organization,
      jsonb_build_object('id', workspace.id, 'name', workspace.name) as workspace
    from workspaces as workspace
    join organizations as organization on organization.id = workspace.organization_id
    where workspace.id = ${workspace_id} and workspace.organization_id = ${organization_id}
  `
  return { ...names, project: null }
}

/** Sends a `test.ping` in the format of the channel: one attempt, whatever the state of the channel. */
export async function testChannel(tx: Tx, by: Caller, channel: Resource<'channel'>): Promise<LogEntry> {
  const shown = await getChannel(tx, channel)
  const data = { channel: shown }
  const [event_id = ''] = await emitAll(tx, by, [{ scope: channel, name: 'test.ping', data }])
  const [{ created_at }] = await tx<[{ created_at: string }]>`
    select created_at from outbox where id = ${event_id} and organization_id = ${channel.organization_id}
  `
  const { organization_id, workspace_id } = channel
  const { request_id, traceparent } = by
  const place = { organization_id, project_id: null, scope: await namedScopeOf(tx, channel) }
  const event = { id: event_id, name: 'test.ping' as const, created_at, data, request_id, traceparent, ...place }
  const message = { event_id, channel_id: channel.id, organization_id, workspace_id, max_attempts: 1 }
  const [message_id = ''] = await createMessages(tx, [event], [message])
  await recordChannel(tx, by, channel, channel.id, 'tested', `tested the notification channel ${shown.name}.`)
  await wakeDestination(tx, channel.organization_id, channel.id)
  return getLogEntry(tx, organization_id, message_id)
}
