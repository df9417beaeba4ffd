import { Outcome } from '../dispatches/outcome.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { NONE, State, Time } from '../pages/components/text.tsx'
import type { Hook } from './schema.ts'
import type { HookSummary } from './summaries.ts'

const TRIGGERS: Record<Hook['trigger_on'], string> = { workflow_done: 'workflow completed', gate_approved: 'gate approved' }

const hookState = ({ enabled, paused }: HookSummary): string => (!enabled ? 'disabled' : paused ? 'paused' : 'enabled')

function LastOutcome({ of: last }: { of: HookSummary['last'] }) {
  if (last === null) return NONE
  const { id, version, at } = last
  return (
    <>
      <a href={`/app/dispatches/${id}`}>
        <Outcome of={last} />
      </a>
      <p class="hint">
        {version !== null && (
          <>
            <bdi>{version}</bdi>,{' '}
          </>
        )}
        <Time at={at} />
      </p>
    </>
  )
}

const hookColumns: Column<HookSummary>[] = [
  { head: 'Hook', main: true, cell: ({ id, name }) => <a href={`/app/deployment-hooks/${id}`}>{name}</a> },
  { head: 'Environment', cell: ({ environment }) => environment },
  {
    head: 'State',
    cell: (hook) => (
      <>
        <State of={hookState(hook)} />
        {hook.disabled_reason !== null && <p class="hint">{hook.disabled_reason}</p>}
      </>
    ),
  },
  { head: 'Last outcome', cell: ({ last }) => <LastOutcome of={last} /> },
  { head: 'Sent when', cell: ({ trigger_on }) => TRIGGERS[trigger_on] },
  { head: 'Receiver', cell: ({ url }) => (url === null ? 'claims its dispatches' : (URL.parse(url)?.host ?? url)) },
]

export const HookTable = ({ hooks }: { hooks: HookSummary[] }) => (
  <Table label="Deployment hooks" columns={hookColumns} rows={hooks} />
)
