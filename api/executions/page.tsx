/** The page of an execution: what happened, what it made, and what it cost. */

import { countingApprovals, type Gate, neededApprovals } from '../../core/gates/gates.ts'
import { MAX_GATES } from '../../core/openings/opening.ts'
import { sql } from '../../core/platform/database.ts'
import { type Artifact, type Execution, isTransition } from '../../core/records/executions.ts'
import { Maybe, Nothing, Nullable, Shape, Type, Uuid } from '../../core/values/schema.ts'
import { listNamedGates } from '../gates/lists.ts'
import { DECISION_PHRASES, stateOf } from '../gates/words.ts'
import { Button } from '../pages/components/forms.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { Duration, Size } from '../pages/components/measures.tsx'
import { type Column, Facts, type RowParts, Rows, Section, Table, Timeline } from '../pages/components/structure.tsx'
import { Money, Prose, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { databaseNow } from '../plugins/clock.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { RequirementLink } from '../requirements/list.tsx'
import { requirementPage } from '../requirements/page.tsx'
import { getExecutionContext, type Occurrence, timelineOf } from './context.ts'
import { cancelExecution, createExecution, getExecution } from './executions.ts'
import { ExecutionInput } from './schema.ts'

const OccurrenceLine = ({ of: { state, text, by, via, gate } }: { of: Occurrence }) => (
  <>
    <State of={state} text={text} />
    {gate && (
      <>
        {' '}
        <a href={`/app/gates/${gate.id}`}>{gate.name}</a>
      </>
    )}
    {by !== null && <span class="hint"> by {by}</span>}
    {via !== null && <span class="hint"> {DECISION_PHRASES[via]}</span>}
  </>
)

const gateRowAt =
  (now: string) =>
  (gate: Gate): RowParts => ({
    state: <State of={stateOf(gate, now)} />,
    href: `/app/gates/${gate.id}`,
    what: gate.name,
    beside: `${countingApprovals(gate).length} of ${neededApprovals(gate)} approvals`,
    end: <Time at={gate.decided_at ?? gate.created_at} />,
  })

type NumberedArtifact = Artifact & { number: number }

/** @param path the path of the execution, whose query names the artifact that is shown */
const artifactRow =
  (path: string) =>
  ({ number, name, kind, url, content }: NumberedArtifact): RowParts => ({
    href: content === undefined ? null : `${path}?artifact=${number}#artifact`,
    what: content === undefined && url !== undefined ? <WebLink href={url}>{name}</WebLink> : name,
    beside: kind,
    below: url !== undefined && <WebLink href={url} />,
    end: content !== undefined && <Size of={content} />,
  })

function Artifacts({ of: { id, artifacts }, shown }: { of: Execution; shown: number | undefined }) {
  const rows = artifacts.map((artifact, index) => ({ ...artifact, number: index + 1 }))
  const open = rows.find(({ number, content }) => number === shown && content !== undefined)
  return (
    <Section title="Artifacts" count={artifacts.length}>
      <Rows label="Artifacts" of={rows} row={artifactRow(`/app/executions/${id}`)}>
        None. An execution reports its artifacts when it is completed.
      </Rows>
      {open && (
        <div id="artifact">
          <h3>{open.name}</h3>
          <pre>{open.content}</pre>
        </div>
      )}
    </Section>
  )
}

const metricColumns: Column<[name: string, value: number]>[] = [
  { head: 'Metric', cell: ([name]) => name.replaceAll('_', ' ') },
  { head: 'Value', numeric: true, cell: ([, value]) => value.toLocaleString('en', { maximumFractionDigits: 3 }) },
]

function Metrics({ of: { metrics } }: { of: Execution }) {
  // Executions of an earlier version may have values that are no numbers.
  const rows = Object.entries(metrics).filter(([, value]) => typeof value === 'number')
  return (
    <Section title="Metrics">
      <Table label="Metrics" columns={metricColumns} rows={rows}>
        None. An execution reports them when it ends.
      </Table>
    </Section>
  )
}

const ExecutionQuery = Shape({ artifact: Maybe(Type.Integer({ minimum: 1, maximum: 100 })) })

const executionPage = page(
  '/app/executions/:execution_id',
  { execution: 'member' },
  async ({ execution, query }) => {
    const [shown, gates, context, now] = await Promise.all([
      getExecution(sql, execution),
      listNamedGates(sql, execution, MAX_GATES),
      getExecutionContext(sql, execution),
      databaseNow(sql),
    ])
    const { id, agent, status, summary, error, started_at, finished_at } = shown
    const { requirement, runtime_name, names } = context
    return {
      title: `Execution by ${agent}`,
      aside: <State of={status} />,
      crumbs: [
        tabCrumb(shown.project_id, 'requirements'),
        { href: `/app/requirements/${requirement.id}`, text: `#${requirement.number} ${requirement.title}` },
      ],
      main: (
        <div class="columns">
          <div>
            {error !== null && (
              <Section title="Error">
                <div class="card failed">
                  <Prose>{error}</Prose>
                </div>
              </Section>
            )}
            {summary !== null && (
              <Section title="Summary">
                <Prose>{summary}</Prose>
              </Section>
            )}
            <Section title="Timeline">
              <Timeline
                of={timelineOf(shown, gates, names).map((each) => ({ at: each.at, content: <OccurrenceLine of={each} /> }))}
              />
            </Section>
            <Section
              title="Gates"
              count={gates.length}
              aside={
                (status === 'awaiting_gate' || isTransition(status, 'awaiting_gate')) && (
                  <a href={`/app/executions/${id}/gates/new`}>Open a gate</a>
                )
              }
            >
              <Rows label="Gates" of={gates} row={gateRowAt(now)}>
                The execution has not asked for a decision.
              </Rows>
            </Section>
            <Usage of={shown} />
            <Artifacts of={shown} shown={query.artifact} />
          </div>
          <div>
            <Section title="Details">
              <Facts
                of={[
                  ['Id', <code>{id}</code>],
                  ['Requirement', <RequirementLink of={requirement} />],
                  ['Agent', agent],
                  ['Runtime', runtime_name ?? <span class="hint">none</span>],
                  ['Duration', <Duration from={started_at} to={finished_at} />],
                  ['Cost', <Money usd={shown.cost_usd} />],
                  ['Cost limit', shown.max_cost_usd === null ? null : <Money usd={shown.max_cost_usd} />],
                  ['Reported cost', shown.reported_cost_usd === null ? null : <Money usd={shown.reported_cost_usd} />],
                  ['Workflow', <code>{shown.graph_id}</code>],
                ]}
              />
              {isTransition(status, 'cancelled') && (
                <p class="more">
                  <Button
                    action={`/app/executions/${id}/cancel`}
                    kind="danger"
                    confirm="Cancel this execution? Its pending gates are cancelled too."
                  >
                    Cancel execution
                  </Button>
                </p>
              )}
            </Section>
            <Metrics of={shown} />
          </div>
        </div>
      ),
    }
  },
  ExecutionQuery,
)

const cancel = actionOn(executionPage, '/cancel', { execution: 'member' }, Nothing, async ({ caller, execution, change }) => {
  await change((tx) => cancelExecution(tx, caller, execution))
  return { notice: 'The execution was cancelled.' }
})

export const executionPages = pageRoutes('execution-pages', executionPage, cancel)

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

const Usage = ({ of: { usage, unpriced, cost_from } }: { of: Execution }) => (
  <Section title="Usage by model">
    <Table label="Usage by model" columns={columnsFor(cost_from)} rows={usage}>
      None. Agents report it, or send it as telemetry: see <a href="/docs/usage">Usage and costs</a>.
    </Table>
    {unpriced > 0 && (
      <p class="hint">
        {unpriced === 1 ? 'One use has' : `${tokens(unpriced)} uses have`} no cost, because the organization has no price for the
        model.
      </p>
    )}
  </Section>
)

/** As the API takes it. An empty workflow is a new one. */
const QueueForm = Shape({ ...ExecutionInput.properties, graph_id: Maybe(Nullable(Uuid)) })

const queue = actionOn(
  requirementPage,
  '/executions',
  { requirement: 'member' },
  QueueForm,
  async ({ caller, requirement, change }, { graph_id, ...input }) => {
    const { id, agent } = await change((tx) =>
      createExecution(tx, caller, requirement, { ...input, ...(graph_id ? { graph_id } : {}) }),
    )
    return { to: `/app/executions/${id}`, notice: `An execution is queued for ${agent}.` }
  },
)

export const queuePages = pageRoutes('queue-pages', queue)
