/** The tools that agents get. Each calls an operation of the API, and has its arguments. None decides a gate. */
import type { Gate } from '../../core/gates/gates.ts'
import { pageUrl } from '../../core/tenants/links.ts'
import type { Clearance } from '../gates/clearance.ts'

/** A tool as it is declared; `definitions.ts` adds the schemas of its operation. */
export interface Tool {
  name: string
  title: string
  /** For a model: what it is for, when not to use it, what comes back, and what to do on errors. */
  description: string
  /** The `operationId` of the operation that it calls. */
  operation: string
  /** The operation that it calls instead if an argument is given. */
  or?: { argument: string; operation: string }
  record: string
  fixed?: Record<string, unknown>
  /** What its arguments have instead of what the API says about them. */
  args: Record<string, Record<string, unknown>>
  optional?: string[]
  isIdempotent?: boolean
  /** What to do with the record, for the model. */
  advice?: (record: never) => string
}

/** Records of a list that a result has space for. */
const MAX_LISTED = 20
/** Proxies commonly time out after 30 seconds. */
export const MAX_WAIT_SECONDS = 25

const PROJECT = {
  description:
    'The project. Leave it out if your token is for one project; else ask the person you work for, or read it in the URL of the project’s page (/app/projects/<project_id>).',
}
const AFTER = { description: 'The `next` of the previous call, for the items after those.' }
const EXECUTION = { description: 'The `id` of the execution that start_execution returned.' }
const COST = { description: 'What it cost in USD since the last report, not in total: reports are added up.' }

/** A gate as operations return it: only reading it says whether one may go on. */
export type AdvisedGate = Pick<Gate, 'status' | 'id'> & { clearance?: Clearance }

export const isClear = ({ clearance }: AdvisedGate): boolean => clearance?.state === 'clear'

/** What an approval means while something holds it back. Names and reasons are data, which stands in the record. */
function approvalAdvice({ id, clearance }: AdvisedGate): string {
  const stop = 'Do not do what it is about.'
  if (clearance?.state === 'denied')
    return `The approval of the gate does not count: it was revoked, or another gate stands in the way; \`clearance.reasons\` says what, by whom and why. ${stop} Stop, and tell the person you work for.`
  if (clearance?.held_until != null)
    return `The gate is approved, but a freeze or a soak holds it back until ${clearance.held_until}. ${stop} Call get_gate with gate_id ${id} again after that time: then it may be clear.`
  return `The gate is approved, but not everything that it depends on is: \`clearance.reasons\` says what is missing. ${stop} Call get_gate with gate_id ${id} again later; people may take hours.`
}

export function gateAdvice(gate: AdvisedGate): string {
  const { status, id } = gate
  switch (status) {
    case 'pending':
      return `The gate is pending: people have not decided yet, at ${pageUrl('gate', id)}. Do not do what it is about. Call wait_for_gate with gate_id ${id}, as often as needed; people may take hours.`
    case 'approved':
      return isClear(gate)
        ? 'The gate is approved: continue with what it is about, exactly as it was described. `answers` has what the approver filled in.'
        : approvalAdvice(gate)
    case 'rejected':
      return 'The gate is rejected; an execution that waited for it has failed. Stop, and do not try another way. `comment` may say why.'
    case 'changes_requested':
      return 'Changes are requested: read `comment`, make the changes that concern the work of this gate, and open a new gate with the same name.'
    case 'expired':
      return 'The gate expired without a decision; an execution that waited for it has failed. Stop, and tell the person you work for.'
    case 'cancelled':
      return 'The gate was cancelled: by a newer gate (`superseded_by`), by the end of its execution, or by the caller who opened it. Do not do what it is about.'
  }
}

const READS = 'Changes nothing.'

export const TOOLS: Tool[] = [
  {
    name: 'list_work',
    title: 'List work',
    description: `Lists the requirements of a project, newest first: the work that people want done. Use it to find work (status \`open\`) or to see what is in progress. Do not use it to read one requirement again: get_requirement does that. Returns \`requirements\`, with their \`total\`; if \`next\` is not null there are more: call again with it as \`after\`, and without \`page\`. ${READS}\nOn not_found: the project_id is wrong, or your token is for another project.`,
    operation: 'listRequirements',
    record: 'requirements',
    optional: ['project_id'],
    args: {
      project_id: PROJECT,
      status: {
        description:
          'Only those in this state. `open`: not done yet. People set it, so a requirement stays `open` while executions of it run.',
      },
      kind: { description: 'Only those of this kind.' },
      page_size: { maximum: MAX_LISTED, default: MAX_LISTED },
      after: AFTER,
    },
  },
  {
    name: 'get_requirement',
    title: 'Get a requirement',
    description: `Reads one requirement: what is to be done (\`title\`, \`description\`) and how it is judged (\`acceptance_criteria\`). Use it before you start, and again before you complete an execution, since people edit it. Returns \`requirement\`. ${READS}\nOn not_found: take the id from list_work.`,
    operation: 'getRequirement',
    record: 'requirement',
    args: { requirement_id: { description: 'The `id` of a requirement, from list_work.' } },
  },
  {
    name: 'start_execution',
    title: 'Start an execution',
    description: `Records that you begin to work on a requirement, and starts the clock. Use it once per attempt, before the first change. Do not use it to continue an execution that is running or waits for a gate. Returns \`execution\` with status \`running\`; keep its \`id\` for the other tools.\nIf you were given the id of a queued execution, start that one: give execution_id, and neither requirement_id nor agent. Telemetry that your client sends with this id counts from then on. Else give requirement_id and agent.\nOn budget_exhausted: do not work; tell the person you work for. On not_found: take requirement_id from list_work, and execution_id from the person you work for. On invalid_transition: the queued execution has started already; do not start another one. After a lost answer: repeat the call with the same idempotency_key, so that no second execution starts.`,
    operation: 'createExecution',
    or: { argument: 'execution_id', operation: 'startExecution' },
    record: 'execution',
    fixed: { start: true },
    args: {
      requirement_id: { description: 'The `id` of the requirement, from list_work. Leave it out if execution_id is given.' },
      agent: {
        description:
          'Your name as people know it, always the same, such as `claude-code` or `codex`. Costs are shown by it. Leave it out if execution_id is given.',
      },
      execution_id: {
        description: 'Instead of requirement_id: the `id` of a queued execution, which the person you work for has given you.',
      },
      runtime_id: { description: 'The runtime that you work on, if the person you work for named one.' },
      graph_id: {
        description: 'To continue a run of several executions: the `graph_id` of the execution before. Leave it out otherwise.',
      },
    },
    advice: () =>
      'The execution is running. Open a gate before anything that people have to approve, and end it with complete_execution or fail_execution.',
  },
  {
    name: 'report_usage',
    title: 'Report usage',
    description: `Reports what an execution cost while it runs. Use it now and then during long work. Do not use it for what your client reports by telemetry, nor for what you pass to complete_execution or fail_execution: it would count twice. Returns \`execution\` with the sum in \`cost_usd\`.\nOn invalid_transition: the execution has not started. After a lost answer: repeat the call with the same idempotency_key, else it counts twice.`,
    operation: 'reportUsage',
    record: 'execution',
    args: { execution_id: EXECUTION, cost_usd: COST },
  },
  {
    name: 'complete_execution',
    title: 'Complete an execution',
    description: `Records that an execution succeeded: all acceptance criteria are met, and nothing is left to do. Do not use it while a gate of it is pending, nor for work that is partly done: then use fail_execution. Returns \`execution\` with status \`completed\`. This cannot be undone.\nOn invalid_transition: a gate is pending (call wait_for_gate) or the execution has already ended (stop).`,
    operation: 'completeExecution',
    record: 'execution',
    args: {
      execution_id: EXECUTION,
      summary: { description: 'What you changed and how you checked it, in Markdown, for people.' },
      cost_usd: COST,
      metrics: { description: 'Numbers about the result, such as tests_passed, tests_failed, lines_added, lines_removed.' },
      artifacts: { description: 'Results to keep, by link (`url`) or as text (`content`).' },
    },
    advice: () => 'The execution is completed. Nothing is left to do for it.',
  },
  {
    name: 'fail_execution',
    title: 'Fail an execution',
    description: `Records that an execution ends without success: you cannot go on, or the result does not meet the acceptance criteria. Its pending gates are cancelled. Do not use it to pause, nor because people take long to decide a gate. Returns \`execution\` with status \`failed\`. This cannot be undone; another attempt is a new execution.\nOn invalid_transition: the execution has already ended. Stop.`,
    operation: 'failExecution',
    record: 'execution',
    args: {
      execution_id: EXECUTION,
      error: { description: 'Why, for people: what you tried, and what is missing.' },
      cost_usd: COST,
    },
    advice: () => 'The execution has failed. Nothing is left to do for it.',
  },
  {
    name: 'open_gate',
    title: 'Ask people for approval',
    description: `Asks people to approve something before you do it: a release, a deployment, a migration, deleting data, or anything else that your instructions say needs approval. People decide in the app, in chat or by mail; no tool decides, and you must not. The execution waits until then. Do not use it for questions that you can answer from the requirement. Returns \`gate\` with status \`pending\`; then call wait_for_gate, and do nothing of what the gate is about before its \`clearance.state\` is \`clear\`.\nGive either execution_id or project_id. Describe in \`description\` and \`evidence\` what people need for the decision; it cannot be changed later.\nOn gate_open: a gate for this subject is pending; wait for that one. On validation_failed at /subject or /evidence: the policy of the environment requires it; add it. On gate_limit_reached: stop and tell the person you work for.`,
    operation: 'openGate',
    or: { argument: 'project_id', operation: 'openProjectGate' },
    record: 'gate',
    args: {
      execution_id: { description: 'The execution that waits for the decision. Leave it out if project_id is given.' },
      project_id: { description: 'Instead of execution_id: for a gate that no execution waits for.' },
      name: {
        description:
          'What is asked, in a few words, such as `Deploy 1.4.2 to production`. Use the same name again after requested changes.',
      },
      description: { description: 'What will happen after the approval and why, in Markdown, for people.' },
    },
    advice: gateAdvice,
  },
  {
    name: 'get_gate',
    title: 'Get a gate',
    description: `Reads a gate as it is now: what was asked, who approved, and the decision with its \`comment\` and \`answers\`. \`clearance\` says whether you may go on: an approval may be revoked, or held back. Use it to look once. To wait for a decision use wait_for_gate, which needs far fewer calls. Returns \`gate\`. ${READS}\nOn not_found: take the id from open_gate.`,
    operation: 'getGate',
    record: 'gate',
    args: { gate_id: { description: 'The `id` of the gate, from open_gate.' } },
    advice: gateAdvice,
  },
  {
    name: 'wait_for_gate',
    title: 'Wait for a decision',
    description: `Waits until people have decided a gate, at most \`wait\` seconds, and returns \`gate\` within a second of the decision. Go on only if \`clearance.state\` is \`clear\`. If it comes back with status \`pending\`, call it again: people may take hours, and waiting costs nothing. ${READS}\nOn not_found: the gate was deleted, or the id is wrong. On rate_limited: wait as long as the error says.`,
    operation: 'getGate',
    record: 'gate',
    args: {
      gate_id: { description: 'The `id` of the gate, from open_gate.' },
      wait: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_WAIT_SECONDS,
        default: MAX_WAIT_SECONDS,
        description: 'Seconds to wait at most.',
      },
    },
    advice: gateAdvice,
  },
  {
    name: 'report_rollout',
    title: 'Report a deployment',
    description: `Reports the outcome of a deployment that Signalbox triggered and that you carry out: \`in_progress\` while it runs, then \`succeeded\` or \`failed\`. Do not use it for deployments that your CI system reports itself. Returns \`dispatch\` with its \`rollout\`. The first \`succeeded\` or \`failed\` stands.\nOn invalid_transition: another outcome was reported before; do not report again. On not_found: the dispatch_id is in the request that triggered the deployment.`,
    operation: 'reportRollout',
    record: 'dispatch',
    isIdempotent: true,
    args: {
      dispatch_id: {
        description:
          'The `id` of the dispatch that triggered the deployment (its headers `webhook-id` and `X-Signalbox-Delivery`).',
      },
      state: { description: '`in_progress` while it runs, then `succeeded` or `failed`.' },
    },
  },
  {
    name: 'get_environments',
    title: 'Get environments',
    description: `Reads what runs in the environments of a project: the \`current\`, \`previous\` and \`latest\` rollout of each, with version and digest. Use it before you ask to deploy, and afterwards to see whether the deployment succeeded. Returns \`environments\`, by name; if \`next\` is not null there are more: call again with it as \`after\`. ${READS}\nOn not_found: the project_id is wrong, or your token is for another project.`,
    operation: 'listEnvironments',
    record: 'environments',
    optional: ['project_id'],
    args: { project_id: PROJECT, limit: { maximum: MAX_LISTED, default: MAX_LISTED }, after: AFTER },
  },
]
