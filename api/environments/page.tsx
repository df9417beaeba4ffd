/** The page of an environment: what runs there, how its deployments go, and its history. */

import { sql } from '../../core/platform/database.ts'
import { isMismatch, type RolloutState } from '../../core/rollouts/rollouts.ts'
import { Maybe, Name, pageQuery, Shape } from '../../core/values/schema.ts'
import { listHooks, MAX_HOOKS } from '../deployment-hooks/hooks.ts'
import { Mismatch, RolloutOutcome, ShortDigest } from '../dispatches/outcome.tsx'
import { frozenEnvironment } from '../freezes/current.ts'
import { FreezeNotice } from '../freezes/notice.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { type Column, Pager, Section, Table } from '../pages/components/structure.tsx'
import { NONE, Notice, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { notFound } from '../problems.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { findShownEnvironments, listRollouts, policyPath, type ShownEnvironment } from './environments.ts'
import { PromotionSection } from './promotion-section.tsx'
import type { EnvironmentRollout } from './schema.ts'
import { Figures, Running } from './tables.tsx'

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

/** @param hooks names by id */
const columnsWith = (hooks: Map<string, string>): Column<EnvironmentRollout>[] => [
  {
    head: 'Rollout',
    main: true,
    cell: ({ dispatch_id, event }) => (dispatch_id === null ? event : <a href={`/app/dispatches/${dispatch_id}`}>{event}</a>),
  },
  { head: 'State', cell: ({ state }) => <RolloutOutcome state={state} /> },
  {
    head: 'Version',
    cell: (rollout) => (
      <>
        {rollout.version === null ? NONE : <bdi>{rollout.version}</bdi>}
        {isMismatch(rollout) && ' '}
        <Mismatch of={rollout} />
      </>
    ),
  },
  {
    head: 'Hook',
    cell: ({ hook_id }) =>
      hook_id === null ? (
        <span class="hint">deleted</span>
      ) : (
        <a href={`/app/deployment-hooks/${hook_id}`}>{hooks.get(hook_id) ?? 'a hook'}</a>
      ),
  },
  { head: 'Report', cell: ({ url }) => (url === null ? NONE : <WebLink href={url} limit={60} />) },
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
]

const environmentPage = page(
  '/app/projects/:project_id/environment',
  { project: 'member' },
  async ({ project, url, query: { name = '', page: number } }) => {
    const [frozen_until, [environment], rollouts, hooks] = await Promise.all([
      frozenEnvironment(sql, project, name),
      findShownEnvironments(sql, project, { limit: 1, name }),
      listRollouts(sql, project, name, { page: number, page_size: PAGE_SIZE }),
      listHooks(sql, project, { limit: MAX_HOOKS, after: null }),
    ])
    if (!environment) throw notFound('environment')
    const rollback = `/app/projects/${project.id}/rollback?${new URLSearchParams({ environment: name })}`
    return {
      title: environment.environment,
      crumbs: [tabCrumb(project.id, 'environments')],
      aside: environment.newest && <RolloutOutcome state={environment.newest.state} />,
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
            <Running rows={[environment]} project_id={null} />
          </Section>
          <PromotionSection project_id={project.id} of={environment} />
          <Figures rows={[environment]} named={false} />
          <Section title="History" count={rollouts.total}>
            <Table
              label="History"
              columns={columnsWith(new Map(hooks.map((hook) => [hook.id, hook.name])))}
              rows={rollouts.items}
            >
              Nothing was rolled out yet. A rollout appears here when a hook of this environment sends a dispatch.
            </Table>
            <Pager url={url} {...rollouts} />
          </Section>
        </>
      ),
    }
  },
  EnvironmentPageQuery,
)

export const environmentPages = pageRoutes('environment-pages', environmentPage)
