/** The page of a deployment hook: its state and health, and its dispatches. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { getHealth, type Health } from '../lanes/health.ts'
import { Failing, HealthSection } from '../lanes/health-section.tsx'
import { Form, Submit, SubmitTo } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { type Column, Empty, Facts, Pager, Section, Table } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { Milliseconds } from '../pages/components/timing.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { waitUntilFinished } from '../plugins/prefer-wait.ts'
import { finishedDispatch, listDispatches } from './dispatches.ts'
import { getHook, updateHook } from './hooks.ts'
import { type Dispatch, DispatchQuery, type Hook } from './schema.ts'
import { testHook } from './triggers.ts'

const PAGE_SIZE = 25
/** How long a test is waited for, in seconds: most receivers respond within a moment. */
const TEST_SECONDS = 3

/** What makes a hook send a dispatch. */
const TRIGGERS: Record<Hook['trigger_on'], string> = {
  gate_approved: 'a gate of the project is approved',
  workflow_done: 'a workflow of the project completes',
}

/** The values of a query parameter, as options of a filter. */
const optionsOf = (schema: object): [value: string, text: string][] => [
  ['', 'any'],
  ...('enum' in schema ? (schema.enum as string[]) : []).map((value): [string, string] => [value, value]),
]

const stateOf = ({ enabled, paused }: Hook): string => (enabled ? (paused ? 'paused' : 'enabled') : 'disabled')

/** Why the hook does not send, if it does not. */
function Obstacle({ hook, health }: { hook: Hook; health: Health }) {
  if (!hook.enabled) {
    return (
      <Notice tone={hook.disabled_reason === null ? 'warn' : 'bad'}>
        {hook.disabled_reason ?? 'A user disabled this hook.'} The hook sends only tests until it is enabled.
      </Notice>
    )
  }
  if (hook.paused) return <Notice tone="warn">This hook is paused. Dispatches wait, and are sent when it is resumed.</Notice>
  return <Failing {...health} />
}

function Actions({ hook }: { hook: Hook }) {
  const path = `/app/deployment-hooks/${hook.id}`
  return (
    <Form action={`${path}/test`} others={['pause', 'resume', 'enable'].map((name) => `${path}/${name}`)}>
      <div class="buttons">
        <Submit kind={hook.enabled && !hook.paused ? 'primary' : 'quiet'}>Send a test</Submit>
        {!hook.enabled && (
          <SubmitTo action={`${path}/enable`} kind="primary">
            Enable
          </SubmitTo>
        )}
        {hook.paused && (
          <SubmitTo action={`${path}/resume`} kind={hook.enabled ? 'primary' : 'quiet'}>
            Resume
          </SubmitTo>
        )}
        {hook.enabled && !hook.paused && <SubmitTo action={`${path}/pause`}>Pause</SubmitTo>}
      </div>
    </Form>
  )
}

const columns: Column<Dispatch>[] = [
  {
    head: 'Dispatch',
    main: true,
    cell: ({ id, event, error }) => (
      <>
        <a href={`/app/dispatches/${id}`}>{event}</a>
        {error && <p class="hint">{error.detail}</p>}
      </>
    ),
  },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Sequence', numeric: true, cell: ({ sequence }) => sequence ?? <span class="hint">–</span> },
  { head: 'Attempts', numeric: true, cell: (dispatch) => `${dispatch.attempt_count} of ${dispatch.max_attempts}` },
  { head: 'Answer', numeric: true, cell: ({ response_status }) => response_status ?? <span class="hint">–</span> },
  { head: 'Duration', numeric: true, cell: ({ duration_ms }) => <Milliseconds of={duration_ms} /> },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

function NoDispatches({ hook, isFiltered }: { hook: Hook; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty>
        No dispatch matches. <a href={`/app/deployment-hooks/${hook.id}`}>Show all dispatches</a>
      </Empty>
    )
  }
  return (
    <Empty>No dispatches yet. The hook sends one when {TRIGGERS[hook.trigger_on]}. Send a test to see whether it works.</Empty>
  )
}

function Settings({ hook }: { hook: Hook }) {
  const headers = Object.keys(hook.headers)
  return (
    <Section title="Settings">
      <Facts
        of={[
          ['URL', <code>{hook.url}</code>],
          ['Sends when', TRIGGERS[hook.trigger_on]],
          ['Environment', hook.environment],
          ['Signed', hook.has_secret ? 'yes' : 'no, it has no secret'],
          ['Headers', headers.length === 0 ? null : <code>{headers.join(', ')}</code>],
          ['Not older than', hook.max_age_seconds === null ? null : `${hook.max_age_seconds.toLocaleString('en')} seconds`],
          ['Supersedes', hook.supersede ? 'a new dispatch cancels older pending ones' : null],
          ['Created', <Time at={hook.created_at} exact />],
        ]}
      />
    </Section>
  )
}

const hookPage = page(
  '/app/deployment-hooks/:hook_id',
  { hook: 'member' },
  async ({ hook: place, url, query }) => {
    const [hook, health, dispatches] = await Promise.all([
      getHook(sql, place),
      getHealth(sql, place),
      listDispatches(sql, place, { ...query, page_size: PAGE_SIZE }),
    ])
    const { status, event } = query
    return {
      title: hook.name,
      aside: <State of={stateOf(hook)} />,
      main: (
        <>
          <Obstacle hook={hook} health={health} />
          <div class="columns">
            <div>
              <Section title="Dispatches" count={dispatches.total}>
                <Filters
                  url={url}
                  fields={[
                    { name: 'status', label: 'State', options: optionsOf(DispatchQuery.properties.status) },
                    { name: 'event', label: 'Event', options: optionsOf(DispatchQuery.properties.event) },
                  ]}
                />
                {dispatches.items.length === 0 ? (
                  <NoDispatches hook={hook} isFiltered={Boolean(status ?? event) || query.page > 1} />
                ) : (
                  <Table label="Dispatches" columns={columns} rows={dispatches.items} keyOf={({ id }) => id} />
                )}
                <Pager url={url} {...dispatches} />
              </Section>
            </div>
            <div>
              {place.role === 'admin' && (
                <Section title="Actions">
                  <Actions hook={hook} />
                </Section>
              )}
              <HealthSection
                of={health}
                sends={hook.enabled && !hook.paused}
                nameOf={({ id, event: name }) => <a href={`/app/dispatches/${id}`}>{name}</a>}
              />
              <Settings hook={hook} />
            </div>
          </div>
        </>
      ),
    }
  },
  DispatchQuery,
)

const test = action(
  '/app/deployment-hooks/:hook_id/test',
  { hook: 'admin' },
  { on: hookPage, body: Nothing },
  async ({ request, caller, hook, change }) => {
    const { id } = await change((tx) => testHook(tx, caller, hook))
    await waitUntilFinished(request, TEST_SECONDS, () => finishedDispatch(sql, { ...hook, id }))
    return { to: `/app/dispatches/${id}`, notice: 'A test was sent.' }
  },
)

const pause = action(
  '/app/deployment-hooks/:hook_id/pause',
  { hook: 'admin' },
  { on: hookPage, body: Nothing },
  async ({ request, caller, hook, change }) => {
    await change((tx) => updateHook(tx, caller, hook, { paused: true }, request))
    return { notice: 'The hook is paused. New dispatches wait.' }
  },
)

const resume = action(
  '/app/deployment-hooks/:hook_id/resume',
  { hook: 'admin' },
  { on: hookPage, body: Nothing },
  async ({ request, caller, hook, change }) => {
    await change((tx) => updateHook(tx, caller, hook, { paused: false }, request))
    return { notice: 'The hook is resumed. Pending dispatches are sent.' }
  },
)

const enable = action(
  '/app/deployment-hooks/:hook_id/enable',
  { hook: 'admin' },
  { on: hookPage, body: Nothing },
  async ({ request, caller, hook, change }) => {
    await change((tx) => updateHook(tx, caller, hook, { enabled: true }, request))
    return { notice: 'The hook is enabled.' }
  },
)

export const hookPages = pageRoutes('hook-pages', hookPage, test, pause, resume, enable)
