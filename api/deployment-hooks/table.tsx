import { type Column, Table } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import type { Hook } from './schema.ts'

const TRIGGERS: Record<Hook['trigger_on'], string> = { workflow_done: 'workflow completed', gate_approved: 'gate approved' }

/** The state of a hook. */
const hookState = ({ enabled, paused }: Hook): string => (!enabled ? 'disabled' : paused ? 'paused' : 'enabled')

const hookColumns: Column<Hook>[] = [
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
  { head: 'Sent when', cell: ({ trigger_on }) => TRIGGERS[trigger_on] },
  { head: 'Receiver', cell: ({ url }) => (url === null ? 'claims its dispatches' : (URL.parse(url)?.host ?? url)) },
]

/** Hooks with their environments and states. */
export function HookTable({ hooks }: { hooks: Hook[] }) {
  return <Table label="Deployment hooks" columns={hookColumns} rows={hooks} keyOf={({ id }) => id} />
}
