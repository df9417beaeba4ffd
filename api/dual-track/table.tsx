import type { Winner } from '../../core/dual-track.ts'
import { type Column, Table } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { RequirementLink, type RequirementName } from '../requirements/link.tsx'
import type { ComparisonStatus } from './states.ts'

export interface ComparisonSummary {
  id: string
  track_a_agent: string
  track_b_agent: string
  status: ComparisonStatus
  winner: Winner | null
  recommendation: Winner | null
  created_at: string
  requirement: RequirementName
}

/** What a person decided, or else what the judge recommends. */
function Verdict({ of }: { of: ComparisonRow }) {
  const winner = of.winner ?? of.recommendation
  if (winner === null) return <span class="hint">–</span>
  const name = winner === 'tie' ? 'a tie' : winner === 'a' ? of.track_a_agent : of.track_b_agent
  return (
    <>
      {name} {of.winner === null && <span class="hint">recommended</span>}
    </>
  )
}

type ComparisonRow = Omit<ComparisonSummary, 'requirement'> & { requirement?: RequirementName }

const comparisonColumns: Column<ComparisonRow>[] = [
  {
    head: 'Tracks',
    main: true,
    cell: ({ id, track_a_agent, track_b_agent }) => (
      <a href={`/app/dual-track/${id}`}>
        {track_a_agent} and {track_b_agent}
      </a>
    ),
  },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Better', cell: (comparison) => <Verdict of={comparison} /> },
  {
    head: 'Requirement',
    cell: ({ requirement }) => requirement && <RequirementLink of={requirement} />,
  },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** @param comparisons without a requirement where the page is about one */
export function ComparisonTable({ comparisons }: { comparisons: ComparisonRow[] }) {
  const hasRequirement = comparisons.some(({ requirement }) => requirement)
  const columns = comparisonColumns.filter(({ head }) => hasRequirement || head !== 'Requirement')
  return <Table label="Comparisons" columns={columns} rows={comparisons} />
}
