/**
 * Tasks (the extension `io.modelcontextprotocol/tasks`): a gate as a task that its client polls, until people have decided. The task has
 * the id of the gate and nothing of its own, so that every process knows it, for as long as the gate exists.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Gate } from '../../core/gates.ts'
import type { ProblemDocument } from '../problems.ts'
import { type Message, toolResult } from './calls.ts'
import { type Definition, definitions } from './definitions.ts'
import { callOperation, type Outcome, operationOf, refused } from './operations.ts'
import { gateAdvice } from './tools.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

const POLL_INTERVAL_MS = 5_000

const STATUSES: Record<Gate['status'], 'working' | 'completed' | 'cancelled'> = {
  pending: 'working',
  approved: 'completed',
  rejected: 'completed',
  changes_requested: 'completed',
  expired: 'completed',
  cancelled: 'cancelled',
}

/** Whether the client of a request takes tasks. It says so in each request. */
export function takesTasks({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY]
  return capabilities?.extensions?.[TASKS_EXTENSION] !== undefined
}

/** What every answer about a task has. */
const stateOf = (gate: Gate) => ({
  taskId: gate.id,
  status: STATUSES[gate.status],
  statusMessage: gateAdvice(gate),
  createdAt: gate.created_at,
  lastUpdatedAt: gate.updated_at,
  // It lasts as long as its gate.
  ttlMs: null,
  pollIntervalMs: POLL_INTERVAL_MS,
})

/** The answer to a call that opened a gate. */
export const createdTask = (gate: Gate) => ({ resultType: 'task', ...stateOf(gate) })

/** The state of a task, with the result of the call if the gate is decided. */
function taskOf(definition: Definition, gate: Gate) {
  const state = stateOf(gate)
  if (state.status !== 'completed') return state
  const result = { ...toolResult(definition, { ok: true, body: gate }), isError: gate.status !== 'approved' }
  return { ...state, result: { resultType: 'complete', ...result } }
}

/** The error of a request about a task whose operation was refused. */
function errorOf({ code, status, detail }: ProblemDocument): ProtocolError {
  if (status === 404 || status === 422) return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task', { code })
  const kind = status < 500 ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InternalError
  return new ProtocolError(kind, `${code}: ${detail}`, { code })
}

/** The parameters of a request about a task. The SDK takes any library's schemas. */
const TASK = {
  '~standard': {
    version: 1,
    vendor: 'signalbox',
    validate: (value: unknown) =>
      typeof value === 'object' && value !== null && 'taskId' in value && typeof value.taskId === 'string'
        ? { value: { taskId: value.taskId } }
        : { issues: [{ message: 'taskId must be a string' }] },
    types: undefined as { input: { taskId: string }; output: { taskId: string } } | undefined,
  },
} as const

/** Answers requests about tasks. */
export function serveTasks(server: Server, message: Message): void {
  const openGate = definitions().get('open_gate') as Definition

  const identified = (outcome: Outcome): Outcome => {
    message.isIdentified = true
    return outcome
  }

  /** Calls an operation on the gate of a task. @throws ProtocolError */
  async function onGate(operation: string, gate_id: string, ignored?: string): Promise<Gate | null> {
    const outcome = await callOperation(message.request, operationOf(operation), { gate_id }).then(identified, refused)
    if (outcome.ok) return outcome.body as Gate
    if (outcome.problem.status === 401) message.refusal = outcome.problem
    if (outcome.problem.code === ignored) return null
    throw errorOf(outcome.problem)
  }

  const handle = (method: string, answer: (taskId: string) => Promise<object>): void =>
    server.setRequestHandler(method, { params: TASK }, async ({ taskId }, ctx) => {
      if (!takesTasks(ctx))
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } })
      return { ...(await answer(taskId)) }
    })

  handle('tasks/get', async (id) => taskOf(openGate, (await onGate('getGate', id)) as Gate))
  // A decided gate stays as it was decided.
  handle('tasks/cancel', async (id) => {
    await onGate('cancelGate', id, 'invalid_transition')
    return {}
  })
  // No task asks its client for anything: the person who runs the client must not be able to approve through it.
  handle('tasks/update', async (id) => {
    await onGate('getGate', id)
    return {}
  })
}
