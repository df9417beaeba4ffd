/** What agents may spend in a month. */
import { sql } from '../../core/platform/database.ts'
import { listSpend } from '../budgets/budgets.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { Money, State } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { type AgentLimit, AgentLimitInput, AgentLimitKey, listAgentLimits, setAgentLimit } from './agent-limits.ts'

const pathOf = ({ id }: { id: string }): string => `/app/organizations/${id}/agent-limits`

/** @param used what agents have spent in this month */
const columnsIn = (path: string, used: Map<string | undefined, number>): Column<AgentLimit>[] => [
  { head: 'Agent', main: true, cell: ({ agent }) => <bdi>{agent}</bdi> },
  {
    head: 'State',
    cell: ({ agent, max_cost_usd }) =>
      (used.get(agent) ?? 0) >= max_cost_usd ? <State of="exhausted" /> : <State of="within the limit" tone="good" />,
  },
  { head: 'Used this month', numeric: true, cell: ({ agent }) => <Money usd={used.get(agent) ?? 0} /> },
  { head: 'Limit per month', numeric: true, cell: ({ max_cost_usd }) => <Money usd={max_cost_usd} /> },
  {
    head: 'Actions',
    cell: ({ agent }) => (
      <Form action={`${path}/remove`} inline>
        <input type="hidden" name="agent" value={agent} />
        <Submit kind="danger" confirm={`Remove the limit of ${agent}?`}>
          Remove<span class="unseen">: {agent}</span>
        </Submit>
      </Form>
    ),
  },
]

/** As many agents as have spent something; others have spent nothing. */
const ALL = { limit: 1_000, after: null }

const limitsPage = page('/app/organizations/:org_id/agent-limits', { organization: 'admin' }, async ({ organization }) => {
  const month = new Date().toISOString().slice(0, 7)
  const [limits, spend] = await Promise.all([
    listAgentLimits(sql, organization.id),
    listSpend(sql, organization, { limit: ALL.limit, from: month, to: month, group_by: 'agent' }, ALL),
  ])
  const used = new Map(spend.map(({ agent, used_usd }) => [agent, used_usd]))
  const path = pathOf(organization)
  return {
    title: 'Limits of agents',
    crumbs: [{ href: `/app/organizations/${organization.id}/budget`, text: 'Budget' }],
    main: (
      <>
        <p>
          What the executions of an agent may cost in a calendar month (UTC), in all projects together. Once that is reached, its
          executions cannot be created or started; those that run continue.
        </p>
        <Section title="Limits" count={limits.length}>
          <Table label="Limits" columns={columnsIn(path, used)} rows={limits}>
            No limits yet: agents may spend what the budgets allow.
          </Table>
        </Section>
        <Section title="Set a limit">
          <Form card action={path}>
            <Field
              name="agent"
              label="Agent"
              required
              maxLength={120}
              list="agents"
              hint="Its name, as its executions have it. If it has a limit, the new one replaces it."
            />
            <datalist id="agents">
              {spend.map(({ agent }) => (
                <option value={agent} />
              ))}
            </datalist>
            <Field name="max_cost_usd" label="US dollars per month" required inputMode="decimal" />
            <Submit>Set the limit</Submit>
          </Form>
        </Section>
      </>
    ),
  }
})

const admin = { organization: 'admin' } as const

const set = actionOn(limitsPage, '', admin, AgentLimitInput, async ({ request, caller, organization, change }, limit) => {
  await change((tx) => setAgentLimit(tx, caller, organization, request, limit))
  return { notice: `The limit of ${limit.agent} was set.` }
})

const remove = actionOn(
  limitsPage,
  '/remove',
  admin,
  AgentLimitKey,
  async ({ request, caller, organization, change }, { agent }) => {
    await change((tx) => setAgentLimit(tx, caller, organization, request, { agent, max_cost_usd: null }))
    return { notice: `The limit of ${agent} was removed.` }
  },
)

export const limitPages = pageRoutes('limit-pages', limitsPage, set, remove)
