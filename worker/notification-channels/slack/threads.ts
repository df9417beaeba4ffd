/** Threads: the messages of executions, and of gates without one, in Slack channels, and what they have to show. */
import { sql } from '../../../core/platform/database.ts'
import type { Execution } from '../../../core/records/executions.ts'
import type { Tx } from '../../../sql/index.ts'
import { namedEvent, type StoredEvent } from '../../event-messages/people.ts'
import { type GateState, MAX_GATES, readGates, type Topic } from './shown-gates.ts'

export type ExecutionState = Pick<Execution, 'id' | 'agent' | 'status' | 'summary' | 'error' | 'cost_usd'>

/** A message in Slack that is kept up to date. */
export interface PostedMessage {
  event_id: string
  slack_channel: string
  ts: string
  /** The Slack workspace; null if Slack did not say. */
  team_id: string | null
  /** A hash of the API and the bot token that it was posted with. */
  token_hash: Uint8Array
  shown: Uint8Array
}

type PostedGate = PostedMessage & { gate_id: string }

/** A posted message with its event, whose `body` is null if it is past its retention. */
type WithBody<Message> = Message & Omit<StoredEvent, 'body'> & { body: string | null }

/** A thread in a Slack channel, and the current state of what it shows. */
export interface ThreadState {
  topic: Topic
  /** Null if it was deleted, or the thread belongs to a gate. */
  execution: ExecutionState | null
  /** The first message; null if it is not posted. */
  root: WithBody<PostedMessage> | null
  /** The messages that show other gates: replies, or those of gates that the gate of the thread has replaced. */
  replies: WithBody<PostedGate>[]
  /** All gates that the thread shows. */
  gates: GateState[]
}

/** What changed in a thread: messages that were posted, updated, or found deleted. */
export interface ThreadChange {
  topic: Topic
  root: PostedMessage | null
  replies: PostedGate[]
  deleted: PostedGate[]
}

type Key = { organization_id: string; channel_id: string; topic: Topic }

async function readRoot({ organization_id, channel_id, topic }: Key): Promise<WithBody<PostedMessage> | null> {
  const isTopic =
    topic.type === 'gate'
      ? sql`thread.gate_id = ${topic.id} and thread.execution_id is null`
      : sql`thread.execution_id = ${topic.id}`
  const [root] = await sql<WithBody<PostedMessage>[]>`
    select
      thread.event_id, thread.slack_channel, thread.ts, thread.team_id, thread.token_hash, thread.shown,
      ${namedEvent(organization_id)}
    from ${topic.type === 'gate' ? sql`slack_gate_messages` : sql`slack_threads`} as thread
    left join channel_events as event on event.id = thread.event_id and event.organization_id = thread.organization_id
    where thread.channel_id = ${channel_id}
      and ${isTopic}
      and thread.organization_id = ${organization_id}
      and thread.ts is not null
  `
  return root ?? null
}

/** SQL: the gates that the gate of a thread has replaced. Their messages are roots of their own. */
const replacedBy = (organization_id: string, gate_id: string) => sql`
  select id from gates where superseded_by = ${gate_id} and organization_id = ${organization_id}
`

/** SQL: the body of the event of a reply, without what is shown of the gate as it is now. */
const withoutGateDetails = sql`
  (event.body::jsonb #- '{data,gate,evidence}' #- '{data,gate,approvals}' #- '{data,gate,description}')::text
`

const readReplies = ({ organization_id, channel_id, topic }: Key) => sql<WithBody<PostedGate>[]>`
  select
    message.gate_id, message.event_id, message.slack_channel, message.ts, message.team_id, message.token_hash, message.shown,
    ${namedEvent(organization_id, withoutGateDetails)}
  from slack_gate_messages as message
  left join channel_events as event on event.id = message.event_id and event.organization_id = message.organization_id
  where message.channel_id = ${channel_id}
    and ${
      topic.type === 'gate'
        ? sql`message.gate_id in (${replacedBy(organization_id, topic.id)})`
        : sql`message.execution_id = ${topic.id}`
    }
    and message.organization_id = ${organization_id}
    and message.ts is not null
  order by message.ts
  limit ${MAX_GATES}
`

async function readExecution({ organization_id, topic }: Key): Promise<ExecutionState | null> {
  if (topic.type === 'gate') return null
  const [execution] = await sql<ExecutionState[]>`
    select id, agent, status, summary, error, cost_usd
    from executions
    where id = ${topic.id} and organization_id = ${organization_id}
  `
  return execution ?? null
}

/** Reads a thread. One that does not exist yet has no messages. */
export async function readThread(key: Key): Promise<ThreadState> {
  // The states are read after the messages that show them: an update that they miss is caused by an event that is sent later.
  const [root, replies] = await Promise.all([readRoot(key), readReplies(key)])
  const [execution, gates] = await Promise.all([readExecution(key), readGates(key)])
  return { topic: key.topic, execution, root, replies, gates }
}

type RecordedThread = ThreadChange & Pick<Key, 'organization_id' | 'channel_id'>

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A posted message as JSON, which has no bytes. */
const rowOf = (
  { event_id, slack_channel, ts, team_id, token_hash, shown }: PostedMessage,
  { organization_id, channel_id, topic }: RecordedThread,
) => ({
  organization_id,
  channel_id,
  execution_id: topic.type === 'execution' ? topic.id : null,
  event_id,
  slack_channel,
  ts,
  team_id,
  token_hash: hex(token_hash),
  shown: hex(shown),
})

/** SQL: what a row says of a message, as it was posted now. */
const asPosted = sql`
  event_id      = excluded.event_id,
  slack_channel = excluded.slack_channel,
  ts            = excluded.ts,
  team_id       = excluded.team_id,
  token_hash    = excluded.token_hash,
  shown         = excluded.shown
`

async function recordRoots(tx: Tx, threads: RecordedThread[]): Promise<void> {
  const rows = threads.flatMap((thread) => (thread.root && thread.topic.type === 'execution' ? rowOf(thread.root, thread) : []))
  if (rows.length === 0) return
  await tx`
    insert into slack_threads (
      channel_id, execution_id, organization_id, event_id, slack_channel, ts, team_id, token_hash, shown
    )
    select
      root.channel_id, root.execution_id, root.organization_id, root.event_id, root.slack_channel, root.ts, root.team_id,
      decode(root.token_hash, 'hex'), decode(root.shown, 'hex')
    from jsonb_to_recordset(${tx.json(rows)}) as root (
      channel_id uuid, execution_id uuid, organization_id uuid, event_id uuid, slack_channel text, ts text, team_id text,
      token_hash text, shown text
    )
    join notification_channels as channel
      on channel.id = root.channel_id
      and channel.organization_id = root.organization_id
    join executions as execution
      on execution.id = root.execution_id
      and execution.organization_id = root.organization_id
    -- Repeated as a list, so that executions are looked up by key whatever their number is.
    where execution.id = any(${[...new Set(rows.flatMap(({ execution_id }) => execution_id ?? []))]}::uuid[])
    on conflict (channel_id, execution_id, organization_id) do update
    set ${asPosted}
  `
}

/** Records messages that show gates: replies in threads of executions, and roots of their own. */
async function recordGateMessages(tx: Tx, threads: RecordedThread[]): Promise<void> {
  const rows = threads.flatMap((thread) => {
    const { topic, root, replies } = thread
    const roots = root && topic.type === 'gate' ? [{ ...root, gate_id: topic.id }] : []
    return [...roots, ...replies].map((message) => ({ ...rowOf(message, thread), gate_id: message.gate_id }))
  })
  if (rows.length === 0) return
  await tx`
    insert into slack_gate_messages (
      channel_id, gate_id, organization_id, execution_id, event_id, slack_channel, ts, team_id, token_hash, shown
    )
    select
      reply.channel_id, reply.gate_id, reply.organization_id, reply.execution_id, reply.event_id, reply.slack_channel, reply.ts,
      reply.team_id, decode(reply.token_hash, 'hex'), decode(reply.shown, 'hex')
    from jsonb_to_recordset(${tx.json(rows)}) as reply (
      channel_id uuid, gate_id uuid, organization_id uuid, execution_id uuid, event_id uuid, slack_channel text, ts text,
      team_id text, token_hash text, shown text
    )
    join notification_channels as channel
      on channel.id = reply.channel_id
      and channel.organization_id = reply.organization_id
    join gates as gate on gate.id = reply.gate_id and gate.organization_id = reply.organization_id
    on conflict (channel_id, gate_id, organization_id) do update
    set ${asPosted}
  `
}

async function forgetDeleted(tx: Tx, threads: RecordedThread[]): Promise<void> {
  const rows = threads.flatMap(({ deleted, organization_id, channel_id }) =>
    deleted.map(({ gate_id }) => ({ organization_id, channel_id, gate_id })),
  )
  if (rows.length === 0) return
  await tx`
    delete from slack_gate_messages as message
    using jsonb_to_recordset(${tx.json(rows)}) as deleted (channel_id uuid, gate_id uuid, organization_id uuid)
    where message.channel_id = deleted.channel_id
      and message.gate_id = deleted.gate_id
      and message.organization_id = deleted.organization_id
  `
}

/** Records what attempts changed in threads. Those of channels, executions and gates that were deleted meanwhile are ignored. */
export async function recordThreads(tx: Tx, threads: RecordedThread[]): Promise<void> {
  await recordRoots(tx, threads)
  await recordGateMessages(tx, threads)
  await forgetDeleted(tx, threads)
}
