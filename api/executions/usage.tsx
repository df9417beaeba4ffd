/** What an execution used of models, and what that cost. */
import type { Execution } from '../../core/executions/records.ts'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Money } from '../pages/components/text.tsx'

type Used = Execution['usage'][number]

const tokens = (count: number): string => count.toLocaleString('en')

/** @param cost_from what adds to the cost of the execution */
const columnsFor = (cost_from: Execution['cost_from']): Column<Used>[] => [
  { head: 'Model', main: true, cell: ({ model }) => model },
  { head: 'Input tokens', numeric: true, cell: ({ input_tokens }) => tokens(input_tokens) },
  { head: 'Of these cached', numeric: true, cell: ({ cached_input_tokens }) => tokens(cached_input_tokens) },
  { head: 'Output tokens', numeric: true, cell: ({ output_tokens }) => tokens(output_tokens) },
  {
    head: 'Cost',
    numeric: true,
    cell: ({ cost_usd, source }) => (
      <>
        {cost_usd === null ? <span class="hint">no price</span> : <Money usd={cost_usd} />}
        {source === 'telemetry' && cost_from === 'reports' && <span class="hint"> not added</span>}
      </>
    ),
  },
]

/** The usage of an execution by model. */
export function Usage({ of: { usage, unpriced, cost_from } }: { of: Execution }) {
  return (
    <Section title="Usage by model">
      {usage.length === 0 ? (
        <Empty>
          None. Agents report it, or send it as telemetry: see <a href="/docs/usage">Usage and costs</a>.
        </Empty>
      ) : (
        <Table label="Usage by model" columns={columnsFor(cost_from)} rows={usage} />
      )}
      {unpriced > 0 && (
        <p class="hint">
          {unpriced === 1 ? 'One use has' : `${tokens(unpriced)} uses have`} no cost, because the organization has no price for
          the model.
        </p>
      )}
    </Section>
  )
}
