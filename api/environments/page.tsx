/** The page of an environment: what runs there, how its deployments go, and its history. */

import { sql } from '../../core/platform/database.ts'
import { GITHUB_DEPLOYMENT, isMismatch, type RolloutState } from '../../core/rollouts/rollouts.ts'
import { Maybe, Name, pageQuery, Shape } from '../../core/values/schema.ts'
import { getOrigin, type Origin } from '../dispatches/origin.ts'
import { originFacts } from '../dispatches/origin-facts.tsx'
import { Mismatch, RolloutOutcome, ShortDigest } from '../dispatches/outcome.tsx'
import { frozenEnvironment } from '../freezes/current.ts'
import { FreezeNotice } from '../freezes/notice.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { Empty, Facts, Pager, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { resourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { findShownEnvironments, listShownRollouts, policyPath, type ShownEnvironment, type ShownRollout } from './environments.ts'
import { PromotionSection } from './promotion-section.tsx'
import type { EnvironmentRollout } from './schema.ts'
import { FiguresOf, isSame, Version } from './tables.tsx'

const PAGE_SIZE = 25

const EnvironmentPageQuery = Shape({ name: Maybe(Name(64)), page: pageQuery.page })

/** What went wrong last, by the state of the last rollout. */
const FAULTS: Partial<Record<RolloutState, [tone: 'bad' | 'warn', text: string]>> = {
  failed: ['bad', 'The last rollout failed.'],
  not_delivered: ['bad', 'The last deployment was not delivered: its hook gave it up, or it expired or was cancelled.'],
  unknown: ['warn', 'The receiver of the last rollout did not report an outcome in time.'],
}

/** Says that the last rollout did not bring what it should; nothing if it did. */
function Fault({ of: { current, newest } }: { of: ShownEnvironment }) {
  const fault = newest && FAULTS[newest.state]
  if (!newest || !fault) return null
  const [tone, text] = fault
  const { dispatch_id } = newest
  return (
    <Notice tone={tone}>
      {text}{' '}
      {current === null ? (
        'Nothing that succeeded before is known.'
      ) : (
        <>The last that succeeded is {current.version === null ? 'of an unknown version' : <bdi>{current.version}</bdi>}.</>
      )}{' '}
      {dispatch_id !== null && <a href={`/app/dispatches/${dispatch_id}`}>See what happened</a>}
    </Notice>
  )
}

/** Says that something else runs than what was approved, or was rolled out last; nothing if it is the same. */
function Deviation({ of: { current, newest } }: { of: ShownEnvironment }) {
  const rollout = [current, newest].find((each) => each !== null && isMismatch(each))
  if (!rollout?.digest || !rollout.approved_digest) return null
  return (
    <Notice tone="bad">
      {rollout === current ? 'What runs here' : 'The last rollout'} is not what was approved: its receiver reported{' '}
      <ShortDigest of={rollout.digest} />, and <ShortDigest of={rollout.approved_digest} /> was approved.{' '}
      {rollout.dispatch_id !== null && <a href={`/app/dispatches/${rollout.dispatch_id}`}>See the rollout</a>}
    </Notice>
  )
}

/** A version of this environment, with when it was deployed. */
const Ran = ({ of }: { of: EnvironmentRollout }) => (
  <>
    <Version of={of} />, <Time at={of.at} />
  </>
)

/** What runs, who approved it, and what ran before. @param origin null if its dispatch is gone */
function Running({ of: { current, previous, newest }, origin }: { of: ShownEnvironment; origin: Origin | null }) {
  if (current === null)
    return <Empty>Nothing that succeeded was reported yet. Hooks with a time to report show here what they deployed.</Empty>
  return (
    <Facts
      of={[
        [
          'Version',
          <>
            <Version of={current} /> <Mismatch of={current} />
          </>,
        ],
        [
          'Since',
          <>
            <Time at={current.at} exact />, <Time at={current.at} />
          </>,
        ],
        ...(origin === null ? [] : originFacts(origin, current.event)),
        ['Page', current.url && <WebLink href={current.url} limit={60} />],
        ['Version before', previous && <Ran of={previous} />],
        [
          'Last rollout',
          newest && !isSame(newest, current) ? (
            <>
              <Ran of={newest} /> <RolloutOutcome state={newest.state} />
            </>
          ) : null,
        ],
      ]}
    />
  )
}

function rowOf(rollout: ShownRollout): RowParts {
  const { dispatch_id, hook_id, hook_name, event, version, url, state, at } = rollout
  return {
    state: <RolloutOutcome state={state} />,
    href: dispatch_id && `/app/dispatches/${dispatch_id}`,
    what: version === null ? event === 'deployment.rollback' ? 'Rollback' : 'No version reported' : <bdi>{version}</bdi>,
    beside: (
      <>
        {hook_id !== null ? (
          <a href={`/app/deployment-hooks/${hook_id}`}>{hook_name}</a>
        ) : event === GITHUB_DEPLOYMENT ? (
          'GitHub'
        ) : (
          'deleted hook'
        )}
        {event === 'deployment.rollback' && version !== null && ' · rollback'}
        {url !== null && (
          <>
            {' · '}
            <WebLink href={url}>report</WebLink>
          </>
        )}{' '}
        <Mismatch of={rollout} />
      </>
    ),
    end: <Time at={at} />,
  }
}

const environmentPage = page(
  '/app/projects/:project_id/environment',
  { project: 'member' },
  async ({ project, url, query: { name = '', page: number } }) => {
    const [frozen_until, [environment], rollouts] = await Promise.all([
      frozenEnvironment(sql, project, name),
      findShownEnvironments(sql, project, { limit: 1, name }),
      listShownRollouts(sql, project, name, { page: number, page_size: PAGE_SIZE }),
    ])
    if (!environment) throw notFound('environment')
    const dispatch_id = environment.current?.dispatch_id ?? null
    const origin = dispatch_id === null ? null : await getOrigin(sql, resourceKey('dispatch', dispatch_id, project))
    const rollback = `/app/projects/${project.id}/rollback?${new URLSearchParams({ environment: name })}`
    return {
      title: environment.environment,
      crumbs: [tabCrumb(project.id, 'environments')],
      aside: environment.newest && environment.newest.state !== 'succeeded' && (
        <RolloutOutcome state={environment.newest.state} />
      ),
      main: (
        <>
          <Fault of={environment} />
          <Deviation of={environment} />
          <FreezeNotice project_id={project.id} environment={name} until={frozen_until} />
          <Section
            title="What runs"
            aside={
              <div class="buttons">
                <a href={policyPath(project.id, name)}>Policy</a>
                {project.role === 'admin' && <a href={rollback}>Roll back…</a>}
              </div>
            }
          >
            <Running of={environment} origin={origin} />
          </Section>
          <PromotionSection project_id={project.id} of={environment} />
          <FiguresOf of={environment} />
          <Section title="History" count={rollouts.total}>
            <Rows label="History" of={rollouts.items} row={rowOf}>
              Nothing was rolled out yet. A rollout appears here when a hook of this environment sends a dispatch.
            </Rows>
            <Pager url={url} {...rollouts} />
          </Section>
        </>
      ),
    }
  },
  EnvironmentPageQuery,
)

export const environmentPages = pageRoutes('environment-pages', environmentPage)
