/** The page of a comparison: both tracks, how they compare, and the decision. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Button, Choice, Form, Submit } from '../pages/components/forms.tsx'
import { Duration } from '../pages/components/measures.tsx'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Dot, Money, Notice, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { waitUntilFinished } from '../plugins/waiting.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { RequirementLink } from '../requirements/list.tsx'
import {
  type Comparison,
  cancelComparison,
  Decision,
  decideComparison,
  deleteComparison,
  endOfComparing,
  getComparison,
  isTransition,
  startComparing,
} from './comparisons.ts'
import { Criteria, trackName, Verdict } from './components.tsx'
import { type ComparisonContext, getComparisonContext, type TrackExecution } from './context.ts'

/** Seconds that the browser waits for a comparison: the metrics judge takes less than one, a model may take longer. */
const MAX_COMPARE_SECONDS = 10

const Track = ({ comparison, track, executions }: { comparison: Comparison; track: 'a' | 'b'; executions: TrackExecution[] }) => (
  <section class="card">
    <h3>
      <Dot tone={track === 'a' ? 'run' : 'wait'} text="" /> {trackName(comparison, track)}
    </h3>
    {comparison.winner === track && (
      <p>
        <State of="approved" text="winner" />
      </p>
    )}
    <ul class="list">
      {executions.map(({ id, agent, status, cost_usd, started_at, finished_at }) => (
        <li>
          <a href={`/app/executions/${id}`}>
            <span class="unseen">Execution by {agent}: </span>
            <State of={status} />
          </a>
          <div class="line">
            {agent !== comparison[`track_${track}_agent`] && <span class="hint">{agent}</span>}
            <Duration from={started_at} to={finished_at} />
            <Money usd={cost_usd} />
          </div>
        </li>
      ))}
    </ul>
    {executions.length === 0 && <Empty>Its executions were deleted.</Empty>}
  </section>
)

function Result({ comparison }: { comparison: Comparison }) {
  const { status, result, error } = comparison
  return (
    <>
      <Section title="Verdict">
        {error !== null && <Notice tone="bad">{error}</Notice>}
        {result ? (
          <Verdict comparison={comparison} result={result} />
        ) : status === 'comparing' ? (
          <Empty>The tracks are being compared. Reload this page in a few seconds.</Empty>
        ) : (
          <Empty>
            {isTransition(status, 'comparing')
              ? 'Not compared yet: compare the tracks, or decide without it.'
              : 'They were not compared.'}
          </Empty>
        )}
      </Section>
      {result && result.criteria.length > 0 && (
        <Section title="Criteria">
          <Criteria comparison={comparison} criteria={result.criteria} />
        </Section>
      )}
    </>
  )
}

const DecisionForm = ({ comparison }: { comparison: Comparison }) => (
  <Form action={`/app/dual-track/${comparison.id}/decide`}>
    <Choice
      name="winner"
      label="Better track"
      value={comparison.result?.recommendation}
      options={Object.entries({ a: trackName(comparison, 'a'), b: trackName(comparison, 'b'), tie: 'Neither: a tie' })}
    />
    <Submit confirm="Decide? A decision cannot be changed.">Decide</Submit>
    <p class="hint">A decision cannot be changed. The recommendation of the judge is not binding.</p>
  </Form>
)

function Decided({ comparison, by }: { comparison: Comparison; by: string | null }) {
  const { winner, decided_at } = comparison
  if (winner === null || decided_at === null) return null
  return (
    <p>
      <strong>{by}</strong> decided {winner === 'tie' ? 'on a tie' : `for ${trackName(comparison, winner)}`},{' '}
      <Time at={decided_at} exact />.
    </p>
  )
}

function Actions({ comparison, context, isAdmin }: { comparison: Comparison; context: ComparisonContext; isAdmin: boolean }) {
  const { id, status } = comparison
  const path = `/app/dual-track/${id}`
  return (
    <Section title={isTransition(status, 'decided') ? 'Your decision' : 'Decision'}>
      <div class="card">
        {isTransition(status, 'decided') ? (
          <DecisionForm comparison={comparison} />
        ) : status === 'decided' ? (
          <Decided comparison={comparison} by={context.decided_by_name} />
        ) : (
          <p>{status === 'cancelled' ? 'The comparison was cancelled.' : 'You can decide once the comparison has ended.'}</p>
        )}
      </div>
      <div class="more">
        {isTransition(status, 'comparing') && (
          <Button action={`${path}/compare`}>{comparison.result ? 'Compare again' : 'Compare'}</Button>
        )}
        {isTransition(status, 'cancelled') && (
          <Button action={`${path}/cancel`} kind="danger" confirm="Cancel this comparison? It cannot be decided afterwards.">
            Cancel comparison
          </Button>
        )}
        {isAdmin && (
          <Button action={`${path}/delete`} kind="danger" confirm="Delete this comparison? What it compared stays.">
            Delete comparison
          </Button>
        )}
      </div>
    </Section>
  )
}

const comparisonPage = page('/app/dual-track/:comparison_id', { comparison: 'member' }, async ({ comparison }) => {
  const [shown, context] = await Promise.all([getComparison(sql, comparison), getComparisonContext(sql, comparison)])
  const { requirement, created_by_name, executions } = context
  return {
    title: `${shown.track_a_agent} or ${shown.track_b_agent}`,
    aside: <State of={shown.status} />,
    crumbs: [tabCrumb(shown.project_id, 'dual-track')],
    main: (
      <div class="columns">
        <div>
          <Section title="Tracks">
            <div class="grid">
              {(['a', 'b'] as const).map((track) => (
                <Track comparison={shown} track={track} executions={executions.filter((each) => each.track === track)} />
              ))}
            </div>
          </Section>
          <Result comparison={shown} />
        </div>
        <div>
          <Actions comparison={shown} context={context} isAdmin={comparison.role === 'admin'} />
          <Section title="Details">
            <Facts
              of={[
                ['Requirement', <RequirementLink of={requirement} />],
                [
                  'Created',
                  <>
                    <Time at={shown.created_at} /> by {created_by_name}
                  </>,
                ],
              ]}
            />
          </Section>
        </div>
      </div>
    ),
  }
})

const admin = { comparison: 'admin' } as const

const member = { comparison: 'member' } as const

const compare = actionOn(comparisonPage, '/compare', member, Nothing, async ({ request, caller, comparison, change }) => {
  await change((tx) => startComparing(tx, caller, comparison))
  const finished = await waitUntilFinished(request, MAX_COMPARE_SECONDS, endOfComparing(comparison))
  return { notice: finished ? undefined : 'The tracks are being compared.' }
})

const decide = actionOn(comparisonPage, '/decide', member, Decision, async ({ caller, comparison, change }, { winner }) => {
  await change((tx) => decideComparison(tx, caller, comparison, winner))
  return { notice: 'Your decision was recorded.' }
})

const cancel = actionOn(comparisonPage, '/cancel', member, Nothing, async ({ caller, comparison, change }) => {
  await change((tx) => cancelComparison(tx, caller, comparison))
  return { notice: 'The comparison was cancelled.' }
})

const remove = actionOn(comparisonPage, '/delete', admin, Nothing, async ({ request, caller, comparison, change }) => {
  const { work_item_id, track_a_agent, track_b_agent } = await getComparison(sql, comparison)
  await change((tx) => deleteComparison(tx, caller, comparison, request))
  const notice = `The comparison of ${track_a_agent} and ${track_b_agent} was deleted.`
  return { to: `/app/requirements/${work_item_id}`, notice }
})

export const comparisonPages = pageRoutes('comparison-pages', comparisonPage, compare, decide, cancel, remove)
