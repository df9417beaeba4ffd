/** Which messages belong to a thread, and which events change what a thread shows. */
import { sql } from '../../../core/platform/database.ts'
import type { Tx } from '../../../sql/index.ts'
import type { DrainedEvent } from '../../outbox/drained-event.ts'
import type { ChannelMatch } from '../sender.ts'
import { type Topic, topicOf } from './shown-gates.ts'

interface Thread {
  channel_id: string
  organization_id: string
  workspace_id: string
  /** Its execution, or its gate. */
  topic_id: string
}

type AboutTopic = { event: DrainedEvent; topic: Topic }

const keyOf = ({ channel_id, topic_id }: Pick<Thread, 'channel_id' | 'topic_id'>): string => `${channel_id} ${topic_id}`

const aboutTopics = (events: DrainedEvent[]): AboutTopic[] =>
  events.flatMap((event) => {
    const topic = topicOf(event.data)
    return topic === null ? [] : { event, topic }
  })

const idsOf = (about: AboutTopic[]) => ({
  topics: [...new Set(about.map(({ topic }) => topic.id))],
  organizations: [...new Set(about.map(({ event }) => event.organization_id))],
})

/** The threads of executions in enabled channels, which are locked against deletion until the commit. */
async function findExecutionThreads(tx: Tx, about: AboutTopic[]): Promise<Thread[]> {
  if (about.length === 0) return []
  const { topics, organizations } = idsOf(about)
  return await tx<Thread[]>`
    select thread.channel_id, thread.execution_id as topic_id, thread.organization_id, channel.workspace_id
    from slack_threads as thread
    join notification_channels as channel
      on channel.id = thread.channel_id
      and channel.organization_id = thread.organization_id
    where thread.execution_id = any(${topics}::uuid[])
      and thread.organization_id = any(${organizations}::uuid[])
      and channel.enabled
    order by channel.id
    for key share of channel
  `
}

/** The same for gates without an execution. A gate also changes the message of the one that it replaced. */
async function findGateThreads(tx: Tx, about: AboutTopic[]): Promise<Thread[]> {
  if (about.length === 0) return []
  const { topics, organizations } = idsOf(about)
  const found = await tx<(Omit<Thread, 'topic_id'> & { topic_ids: string[] })[]>`
    select
      message.channel_id, array_remove(array[gate.id, gate.superseded_by], null) as topic_ids, message.organization_id,
      channel.workspace_id
    from gates as gate
    join slack_gate_messages as message on message.gate_id = gate.id and message.organization_id = gate.organization_id
    join notification_channels as channel
      on channel.id = message.channel_id
      and channel.organization_id = message.organization_id
    where (gate.id = any(${topics}::uuid[]) or gate.superseded_by = any(${topics}::uuid[]))
      and gate.organization_id = any(${organizations}::uuid[])
      and message.execution_id is null
      and channel.enabled
    order by channel.id
    for key share of channel
  `
  return found.flatMap(({ topic_ids, ...thread }) => topic_ids.map((topic_id) => ({ ...thread, topic_id })))
}

async function findThreads(tx: Tx, about: AboutTopic[]): Promise<Thread[]> {
  const { execution = [], gate = [] } = Object.groupBy(about, ({ topic }) => topic.type)
  return (await Promise.all([findExecutionThreads(tx, execution), findGateThreads(tx, gate)])).flat()
}

/** Finds the updates of threads: events that change what a thread shows, for channels that do not subscribe to them. */
export async function findUpdates(tx: Tx, events: DrainedEvent[]): Promise<(matches: ChannelMatch[]) => ChannelMatch[]> {
  const about = aboutTopics(events)
  const threads = await findThreads(tx, about)
  return (matches) => updatesOf(about, threads, matches)
}

/** @param matches the Slack channels that subscribe to the events; a message of a bot that belongs to a thread starts it */
function updatesOf(about: AboutTopic[], found: Thread[], matches: ChannelMatch[]): ChannelMatch[] {
  const threads = new Map(found.map((thread) => [keyOf(thread), thread]))
  const subscribed = new Map(matches.map((match) => [`${match.event_id} ${match.channel_id}`, match]))
  const channels = [...new Set(matches.map(({ channel_id }) => channel_id))]
  return about.flatMap(({ event, topic: { id: topic_id } }) => {
    // In the order of the events: one that precedes the first message of a thread changes nothing there.
    for (const channel_id of channels) {
      const match = subscribed.get(`${event.id} ${channel_id}`)
      if (match?.is_updated) threads.set(keyOf({ channel_id, topic_id }), { ...match, topic_id })
    }
    return [...threads.values()]
      .filter((thread) => thread.topic_id === topic_id && !subscribed.has(`${event.id} ${thread.channel_id}`))
      .map(({ channel_id, organization_id, workspace_id }) => {
        const channel = { channel_id, organization_id, workspace_id, channel_type: 'slack' as const }
        return { event_id: event.id, ...channel, is_updated: true, is_update: true }
      })
  })
}

type NewThread = { channel_id: string; organization_id: string; topic: Topic }

/** The table of the threads about a topic, their column with its id, and the table of these topics. */
const THREADS = {
  execution: [sql`slack_threads`, sql`execution_id`, sql`executions`],
  gate: [sql`slack_gate_messages`, sql`gate_id`, sql`gates`],
} as const

async function createThreadsAbout(tx: Tx, type: Topic['type'], threads: NewThread[]): Promise<void> {
  if (threads.length === 0) return
  const [table, column, topics] = THREADS[type]
  const rows = threads.map(({ channel_id, organization_id, topic }) => ({ channel_id, organization_id, topic_id: topic.id }))
  await tx`
    insert into ${table} (channel_id, ${column}, organization_id)
    select distinct thread.channel_id, thread.topic_id, thread.organization_id
    from jsonb_to_recordset(${tx.json(rows)}) as thread (channel_id uuid, topic_id uuid, organization_id uuid)
    join ${topics} as topic
      on topic.id = thread.topic_id
      and topic.organization_id = thread.organization_id
    -- Repeated as a list, so that topics are looked up by key whatever their number is.
    where topic.id = any(${[...new Set(rows.map(({ topic_id }) => topic_id))]}::uuid[])
    on conflict do nothing
  `
}

/** Creates the threads of messages. Executions and gates that were deleted meanwhile get none. */
export async function createThreads(tx: Tx, events: DrainedEvent[], matches: ChannelMatch[]): Promise<void> {
  const topics = new Map(aboutTopics(events).map(({ event, topic }) => [event.id, topic]))
  const threads = matches.flatMap(({ event_id, channel_id, organization_id, is_updated, is_update }) => {
    const topic = topics.get(event_id)
    return is_updated && !is_update && topic ? { channel_id, organization_id, topic } : []
  })
  const { execution = [], gate = [] } = Object.groupBy(threads, ({ topic }) => topic.type)
  await createThreadsAbout(tx, 'execution', execution)
  await createThreadsAbout(tx, 'gate', gate)
}
