/** The page of a requirement: what it asks, and what was done for it. */
import { sql } from '../../core/platform/database.ts'
import { pageQuery, Shape } from '../../core/values/schema.ts'
import { DeliverableList } from '../deliverables/components.tsx'
import { ComparisonList } from '../dual-track/components.tsx'
import { type ExecutionSummary, listExecutionSummaries } from '../executions/executions.ts'
import { stateOf } from '../gates/words.ts'
import { Folded } from '../pages/components/folded.tsx'
import { Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { Duration } from '../pages/components/measures.tsx'
import { Empty, Facts, Pager, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Money, Prose, State, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { databaseNow } from '../plugins/clock.ts'
import { projectPath, tabCrumb } from '../projects/tabs.tsx'
import { getRequirementContents, MAX_ROWS, type RequirementGate } from './contents.ts'
import { getRequirement } from './requirements.ts'
import type { Requirement } from './schema.ts'

const executionRow = ({ id, agent, status, created_at, started_at, finished_at, cost_usd }: ExecutionSummary): RowParts => ({
  state: <State of={status} />,
  href: `/app/executions/${id}`,
  what: agent,
  beside: <Time at={created_at} />,
  end: (
    <>
      <Duration from={started_at} to={finished_at} /> · <Money usd={cost_usd} />
    </>
  ),
})

const gateRowAt =
  (now: string) =>
  (gate: RequirementGate): RowParts => ({
    state: <State of={stateOf(gate, now)} />,
    href: `/app/gates/${gate.id}`,
    what: gate.name,
    beside: gate.agent,
    end: <Time at={gate.created_at} />,
  })

const newest = (rows: unknown[]) => rows.length === MAX_ROWS && <p class="hint">The newest {MAX_ROWS} are shown.</p>

const Criteria = ({ of: { acceptance_criteria: criteria } }: { of: Requirement }) => (
  <Section title="Acceptance criteria" count={criteria.length}>
    {criteria.length === 0 ? (
      <Empty>None were written. Criteria tell agents, and the people who decide gates, when the requirement is done.</Empty>
    ) : (
      <ol class="prose">
        {criteria.map((criterion) => (
          <li>{criterion}</li>
        ))}
      </ol>
    )}
  </Section>
)

function QueueForm({ requirement_id }: { requirement_id: string }) {
  const action = `/app/requirements/${requirement_id}/executions`
  return (
    <Folded action={action} title="Queue an execution">
      <Form action={action}>
        <Field name="agent" label="Agent" required maxLength={120} hint="Its name, such as claude-code. Costs are shown by it." />
        <Select
          name="cost_from"
          label="Its cost comes from"
          required
          options={Object.entries({ reports: 'What the agent reports', telemetry: 'Telemetry of the models that it uses' })}
        />
        <Field
          name="max_cost_usd"
          label="Budget in USD"
          inputMode="decimal"
          hint="People are notified when it costs more. The execution continues."
        />
        <Field
          name="graph_id"
          label="Workflow"
          maxLength={36}
          hint="The graph_id of the executions that it belongs to. Empty: it begins a new one."
        />
        <Submit>Queue</Submit>
      </Form>
    </Folded>
  )
}

export const requirementPage = page(
  '/app/requirements/:requirement_id',
  { requirement: 'member' },
  async ({ requirement, url, query }) => {
    const [shown, executions, contents, now] = await Promise.all([
      getRequirement(sql, requirement),
      listExecutionSummaries(sql, requirement, query),
      getRequirementContents(sql, requirement),
      databaseNow(sql),
    ])
    const { id, number, title, description, kind, status, created_at, completed_at } = shown
    const { gates, comparisons, deliverables, created_by_name } = contents
    return {
      title: `#${number} ${title}`,
      crumbs: [tabCrumb(shown.project_id, 'requirements')],
      aside: (
        <>
          <State of={status} /> <a href={`/app/requirements/${id}/edit`}>Edit</a>
        </>
      ),
      main: (
        <div class="columns">
          <div>
            {description !== null && (
              <Section title="Description">
                <Prose>{description}</Prose>
              </Section>
            )}
            <Criteria of={shown} />
            <Section title="Executions" count={executions.total}>
              <Rows label="Executions" of={executions.items} row={executionRow}>
                No agent has worked on this yet. Queue an execution, and give its id to an agent, which starts it.
              </Rows>
              <Pager url={url} {...query} total={executions.total} />
              <QueueForm requirement_id={id} />
            </Section>
            <Section title="Gates" count={gates.length}>
              <Rows label="Gates" of={gates} row={gateRowAt(now)}>
                No execution has asked for a decision.
              </Rows>
              {newest(gates)}
            </Section>
            {(comparisons.length > 0 || executions.total > 1) && (
              <Section
                title="Comparisons"
                count={comparisons.length}
                aside={<a href={`/app/requirements/${id}/comparisons/new`}>Compare two tracks</a>}
              >
                <ComparisonList of={comparisons}>
                  Nothing was compared yet. Compare two executions, and decide which one did better.
                </ComparisonList>
                {newest(comparisons)}
              </Section>
            )}
            <Section
              title="Documents"
              count={deliverables.length}
              aside={<a href={`${projectPath(shown.project_id, 'deliverables')}?requirement_id=${id}`}>Generate one</a>}
            >
              {deliverables.length > 0 ? (
                <DeliverableList of={deliverables} />
              ) : (
                <Empty>No document is about this requirement alone.</Empty>
              )}
              {newest(deliverables)}
            </Section>
          </div>
          <div>
            <Section title="Details">
              <Facts
                of={[
                  ['Kind', kind],
                  [
                    'Created',
                    <>
                      <Time at={created_at} /> by {created_by_name}
                    </>,
                  ],
                  ['Done', completed_at && <Time at={completed_at} exact />],
                ]}
              />
            </Section>
          </div>
        </div>
      ),
    }
  },
  Shape(pageQuery),
)

export const requirementPages = pageRoutes('requirement-pages', requirementPage)
