/** Which messages belong to the thread of an execution, and which events change what a thread shows. */
import type { Tx } from '../../sql/index.ts'
import type { ChannelMatch } from '../notification-channels/channel-match.ts'
import type { DrainedEvent } from '../outbox/drained-event.ts'
import { executionOf } from './thread-of.ts'

interface Thread {
  channel_id: string
  organization_id: string
  workspace_id: string
  execution_id: string
}

const keyOf = ({ channel_id, execution_id }: Pick<Thread, 'channel_id' | 'execution_id'>): string =>
  `${channel_id} ${execution_id}`

/** The events about an execution, with its id. */
const aboutExecutions = (events: DrainedEvent[]) =>
  events.flatMap((event) => {
    const execution_id = executionOf(event.data)
    return execution_id === null ? [] : { event, execution_id }
  })

/** The threads of executions in enabled channels, which are locked against deletion until the commit. */
async function findThreads(tx: Tx, events: ReturnType<typeof aboutExecutions>): Promise<Thread[]> {
  return await tx<Thread[]>`
    select thread.channel_id, thread.execution_id, thread.organization_id, channel.workspace_id
    from slack_threads as thread
    join notification_channels as channel
      on channel.id = thread.channel_id
      and channel.organization_id = thread.organization_id
    where thread.execution_id = any(${[...new Set(events.map(({ execution_id }) => execution_id))]}::uuid[])
      and thread.organization_id = any(${[...new Set(events.map(({ event }) => event.organization_id))]}::uuid[])
      and channel.enabled
    order by channel.id
    for key share of channel
  `
}

/**
 * The updates of threads: events that change what a thread shows, for channels that do not subscribe to them.
 *
 * @param matches the Slack channels that subscribe to the events; a message of a bot about an execution starts its thread
 */
export async function findUpdates(tx: Tx, events: DrainedEvent[], matches: ChannelMatch[]): Promise<ChannelMatch[]> {
  const about = aboutExecutions(events)
  if (about.length === 0) return []
  const threads = new Map((await findThreads(tx, about)).map((thread) => [keyOf(thread), thread]))
  const subscribed = new Map(matches.map((match) => [`${match.event_id} ${match.channel_id}`, match]))
  const channels = [...new Set(matches.map(({ channel_id }) => channel_id))]
  return about.flatMap(({ event, execution_id }) => {
    // In the order of the events: one that precedes the first message of a thread changes nothing there.
    for (const channel_id of channels) {
      const match = subscribed.get(`${event.id} ${channel_id}`)
      if (match?.is_updated) threads.set(keyOf({ channel_id, execution_id }), { ...match, execution_id })
    }
    return [...threads.values()]
      .filter((thread) => thread.execution_id === execution_id && !subscribed.has(`${event.id} ${thread.channel_id}`))
      .map(({ channel_id, organization_id, workspace_id }) => ({
        event_id: event.id,
        channel_id,
        organization_id,
        workspace_id,
        channel_type: 'slack' as const,
        is_updated: true,
        is_update: true,
      }))
  })
}

/** Creates the threads of messages about executions. Executions that were deleted meanwhile get none. */
export async function createThreads(tx: Tx, events: DrainedEvent[], matches: ChannelMatch[]): Promise<void> {
  const executions = new Map(aboutExecutions(events).map(({ event, execution_id }) => [event.id, execution_id]))
  const threads = matches.flatMap(({ event_id, channel_id, organization_id, is_updated, is_update }) => {
    const execution_id = executions.get(event_id)
    return is_updated && !is_update && execution_id ? { channel_id, organization_id, execution_id } : []
  })
  if (threads.length === 0) return
  await tx`
    insert into slack_threads (channel_id, execution_id, organization_id)
    select distinct thread.channel_id, thread.execution_id, thread.organization_id
    from jsonb_to_recordset(${tx.json(threads)}) as thread (channel_id uuid, execution_id uuid, organization_id uuid)
    join executions as execution
      on execution.id = thread.execution_id
      and execution.organization_id = thread.organization_id
    -- Repeated as a list, so that executions are looked up by key whatever their number is.
    where execution.id = any(${[...new Set(threads.map(({ execution_id }) => execution_id))]}::uuid[])
    on conflict do nothing
  `
}
