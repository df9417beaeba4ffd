/** The agents of an organization, compared by the outcomes of their work. */
import type { ComponentChildren } from 'preact'
import { sql } from '../../core/platform/database.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { durationText, percentText } from '../pages/components/measures.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { Money, NONE } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { type AgentStanding, type Mean, type Rate, StandingsQuery } from './schema.ts'
import { listStandings, MIN_CASES } from './standings.ts'

/** The rank of a figure, and the cases that it stands on. */
const Basis = ({ of, rank, children }: { of: number; rank: number | null; children?: ComponentChildren }) => (
  <p class="hint">
    {children}of&nbsp;{of.toLocaleString('en')}
    {rank !== null && <>, rank {rank}</>}
  </p>
)

function RateCell({ of: { rate, low, high, of, rank } }: { of: Rate }) {
  if (rate === null || low === null || high === null) return NONE
  return (
    <>
      <span class="number">{percentText(rate, 0)}</span>
      <Basis of={of} rank={rank}>
        {percentText(low, 0)} to {percentText(high, 0)},{' '}
      </Basis>
    </>
  )
}

function MeanCell({ of: { mean, of, rank }, text }: { of: Mean; text: (mean: number) => ComponentChildren }) {
  if (mean === null) return NONE
  return (
    <>
      <span class="number">{text(mean)}</span>
      <Basis of={of} rank={rank} />
    </>
  )
}

const columns: Column<AgentStanding>[] = [
  { head: 'Agent', main: true, cell: ({ agent }) => <bdi>{agent}</bdi> },
  { head: 'Executions', numeric: true, cell: ({ executions }) => executions.toLocaleString('en') },
  { head: 'Completed', numeric: true, cell: ({ completed }) => <RateCell of={completed} /> },
  { head: 'Gates approved', numeric: true, cell: ({ gates_approved }) => <RateCell of={gates_approved} /> },
  { head: 'Comparisons won', numeric: true, cell: ({ comparisons_won }) => <RateCell of={comparisons_won} /> },
  { head: 'Rollouts failed', numeric: true, cell: ({ rollouts_failed }) => <RateCell of={rollouts_failed} /> },
  {
    head: 'Cost per done',
    numeric: true,
    cell: ({ cost_usd_per_done }) => <MeanCell of={cost_usd_per_done} text={(usd) => <Money usd={usd} />} />,
  },
  {
    head: 'Time per done',
    numeric: true,
    cell: ({ seconds_per_done }) => <MeanCell of={seconds_per_done} text={durationText} />,
  },
]

const standingsPage = page(
  '/app/organizations/:org_id/agents',
  { organization: 'admin' },
  async ({ organization, url, query }) => {
    const { from, to, total, agents, caveats } = await listStandings(sql, organization.id, query)
    return {
      title: 'Agents',
      main: (
        <>
          <OrganizationTabs of={organization} path={`/app/organizations/${organization.id}/agents`} />
          <Filters
            url={url}
            fields={[
              { name: 'from', label: 'From month (UTC)', hint: `YYYY-MM; empty: ${from}.` },
              { name: 'to', label: 'To month (UTC)', hint: `YYYY-MM; empty: ${to}.` },
            ]}
          />
          <Section title="Agents compared" count={total}>
            <Table label="Agents compared" columns={columns} rows={agents}>
              No executions were created in these months.
            </Table>
            {total > agents.length && <p class="hint">The {agents.length} agents with the most executions.</p>}
            <p class="hint">
              Executions that were created from {from} to {to}: gates approved without changes, rollouts that failed or were
              rolled back, and cost and time per requirement that is done. Below each rate stand its 95% Wilson interval and the
              cases that it stands on. Agents are ranked from {MIN_CASES} cases on, by the worse end of the interval.
            </p>
          </Section>
          <Section title="What these figures cannot tell">
            <ul>
              {caveats.map((text) => (
                <li>{text}</li>
              ))}
            </ul>
          </Section>
        </>
      ),
    }
  },
  StandingsQuery,
)

export const standingsPages = pageRoutes('standings-pages', standingsPage)
