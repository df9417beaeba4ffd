/** What the agents of the seed data work on. */

/** An execution that failed before the last one. */
export interface Attempt {
  agent: 'claude-code' | 'codex'
  cost_usd: number
  error: string
}

export interface Task {
  title: string
  kind?: 'feature' | 'change' | 'deprecation' | 'removal' | 'fix' | 'security' | 'docs' | 'chore'
  description?: string
  acceptance_criteria?: readonly string[]
  attempts?: Attempt[]
  agent: 'claude-code' | 'codex'
  cost_usd: number
  /** `open`: no execution yet. `waiting`: its gate is pending. `rejected`: its gate was rejected, so the execution failed. */
  outcome: 'done' | 'failed' | 'rejected' | 'waiting' | 'running' | 'open'
  gate?: string
  /** What the reviewer wanted to be changed first. */
  changes?: string
  comment?: string
  metrics?: Record<string, number>
  error?: string
  artifacts?: object[]
}

/** The models of each agent, and their part of what it costs. */
export const MODELS = {
  'claude-code': [
    { model: 'claude-opus-4-8', share: 0.82 },
    { model: 'claude-haiku-4-5', share: 0.18 },
  ],
  codex: [{ model: 'gpt-5.2-codex', share: 1 }],
} as const satisfies Record<Attempt['agent'], { model: string; share: number }[]>

export const metrics = (tests_passed: number, tests_failed: number, lines_added: number, lines_removed: number) => ({
  tests_passed,
  tests_failed,
  lines_added,
  lines_removed,
})

export const IDENTITY: Task[] = [
  {
    title: 'Sign in with passkeys',
    kind: 'security',
    agent: 'claude-code',
    cost_usd: 44.2,
    outcome: 'done',
    gate: 'Security review',
    changes: 'Losing a device must not lock people out. Please add recovery codes.',
    comment: 'Tested with two devices, and with the recovery codes.',
    metrics: metrics(88, 0, 720, 310),
  },
  {
    title: 'Remove the old password form',
    kind: 'chore',
    agent: 'codex',
    cost_usd: 7.3,
    outcome: 'done',
    metrics: metrics(40, 0, 12, 480),
  },
  {
    title: 'Import users from a spreadsheet',
    agent: 'codex',
    cost_usd: 22.8,
    outcome: 'failed',
    metrics: metrics(18, 7, 260, 4),
  },
  {
    title: 'Ask for a second factor on a new device',
    kind: 'security',
    agent: 'claude-code',
    cost_usd: 19.5,
    outcome: 'waiting',
    gate: 'Security review',
  },
]

export const VISION: Task[] = [
  {
    title: 'Detect damaged parcels',
    agent: 'claude-code',
    cost_usd: 63.1,
    outcome: 'done',
    gate: 'Accuracy review',
    changes: 'Recall is 89 % for wet parcels. The limit is 95 %.',
    comment: 'Recall is 97 % on the new images.',
    metrics: metrics(25, 0, 940, 120),
  },
  {
    title: 'Describe how cameras are calibrated',
    kind: 'docs',
    agent: 'claude-code',
    cost_usd: 5.4,
    outcome: 'done',
    metrics: metrics(25, 0, 130, 0),
  },
  { title: 'Track pallets across cameras', agent: 'codex', cost_usd: 38.7, outcome: 'running' },
]

/** One requirement that two agents implemented. */
export const DUAL_TRACK = {
  title: 'Search orders by customer',
  description: 'Support finds all orders of a customer by name, address or number.',
  acceptance_criteria: [
    'Open "Orders" and enter a name, an address or the number of a customer.',
    'The list shows the orders of that customer, the newest first.',
    'All tests pass.',
  ],
  tracks: [
    { agent: 'claude-code', cost_usd: 14.2, metrics: metrics(36, 0, 210, 15) },
    { agent: 'codex', cost_usd: 11.8, metrics: metrics(33, 3, 340, 15) },
  ],
} as const
