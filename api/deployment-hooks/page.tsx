/** The page of a deployment hook: its state and health, and its dispatches. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { endOfDispatch, listDispatches } from '../dispatches/dispatches.ts'
import { recover } from '../dispatches/redeliveries.ts'
import { type Dispatch, DispatchQuery, TriggerInput } from '../dispatches/schema.ts'
import { testHook, triggerHook } from '../dispatches/triggers.ts'
import { getSendingPolicy } from '../freezes/current.ts'
import { FreezeNotice } from '../freezes/notice.tsx'
import { getHealth, type Health } from '../lanes/health.ts'
import { Failing, HealthSection } from '../lanes/health-section.tsx'
import { Form, Submit, SubmitTo } from '../pages/components/forms.tsx'
import { Filters } from '../pages/components/lists.tsx'
import { Milliseconds } from '../pages/components/measures.tsx'
import { type Column, Empty, Pager, Section, Table } from '../pages/components/structure.tsx'
import { EventName, NONE, Notice, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { resourceKey } from '../plugins/resources.ts'
import { waitUntilFinished } from '../plugins/waiting.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { hasAtLeast } from '../roles.ts'
import {
  Claiming,
  Contents,
  KeysSection,
  OverrideSection,
  RecoverForm,
  RecoverSection,
  recoveryOf,
  Settings,
  TRIGGERS,
} from './hook-sections.tsx'
import { getHook, updateHook } from './hooks.ts'
import type { Hook } from './schema.ts'

const PAGE_SIZE = 25
/** How long an attempt is waited for, in seconds: most receivers respond within a moment. */
const ATTEMPT_SECONDS = 3

const optionsOf = (schema: object): [value: string, text: string][] => [
  ['', 'any'],
  ...('enum' in schema ? (schema.enum as string[]) : []).map((value): [string, string] => [value, value.replaceAll('_', ' ')]),
]

const stateOf = ({ enabled, paused }: Hook): string => (enabled ? (paused ? 'paused' : 'enabled') : 'disabled')

function Obstacle({ hook, health }: { hook: Hook; health: Health }) {
  if (!hook.enabled) {
    return (
      <Notice tone={hook.disabled_reason === null ? 'warn' : 'bad'}>
        {hook.disabled_reason ?? 'A user disabled this hook.'}{' '}
        {hook.mode === 'pull' ? 'Only tests can be claimed' : 'The hook sends only tests'} until it is enabled.
      </Notice>
    )
  }
  if (hook.paused) {
    const then = hook.mode === 'pull' ? 'can be claimed' : 'are sent'
    return <Notice tone="warn">This hook is paused. Dispatches wait, and {then} when it is resumed.</Notice>
  }
  return <Failing {...health} />
}

/** @param gate_required whether the environment requires an approved gate: then a trigger is an override, in a form of its own */
function Actions({ hook, gate_required }: { hook: Hook; gate_required: boolean }) {
  const path = `/app/deployment-hooks/${hook.id}`
  return (
    <Form action={`${path}/test`} others={['trigger', 'pause', 'resume', 'enable', 'disable'].map((name) => `${path}/${name}`)}>
      <div class="buttons">
        <Submit kind={hook.enabled && !hook.paused ? 'primary' : 'quiet'}>Send a test</Submit>
        {hook.enabled && !gate_required && (
          <SubmitTo
            action={`${path}/trigger`}
            confirm={`Trigger ${hook.name}? Its receiver is asked to deploy to ${hook.environment}.`}
          >
            Trigger
          </SubmitTo>
        )}
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
        {hook.enabled && (
          <SubmitTo
            action={`${path}/disable`}
            kind="danger"
            confirm={`Disable ${hook.name}? Its pending dispatches are cancelled, and events make no new ones until it is enabled.`}
          >
            Disable
          </SubmitTo>
        )}
      </div>
    </Form>
  )
}

/** @param shown the dispatches that the table lists */
function columnsFor({ mode, report_within_seconds }: Hook, shown: Dispatch[]): Column<Dispatch>[] {
  const hasRollouts = report_within_seconds !== null || shown.some(({ rollout }) => rollout !== null)
  const columns: (Column<Dispatch> | false)[] = [
    {
      head: 'Dispatch',
      main: true,
      cell: ({ id, event, error }) => (
        <>
          <a href={`/app/dispatches/${id}`}>
            <EventName of={event} />
          </a>
          {error && <p class="hint">{error.detail}</p>}
        </>
      ),
    },
    { head: hasRollouts ? 'Delivery' : 'State', cell: ({ status }) => <State of={status} /> },
    hasRollouts && {
      head: 'Rollout',
      cell: ({ rollout }) =>
        rollout ? (
          <>
            <State of={rollout.state} />
            {rollout.version !== null && (
              <p class="hint">
                <bdi>{rollout.version}</bdi>
              </p>
            )}
          </>
        ) : (
          NONE
        ),
    },
    { head: 'Sequence', numeric: true, cell: ({ sequence }) => sequence ?? NONE },
    { head: 'Attempts', numeric: true, cell: (dispatch) => `${dispatch.attempt_count} of ${dispatch.max_attempts}` },
    mode === 'push' && { head: 'Answer', numeric: true, cell: ({ response_status }) => response_status ?? NONE },
    // There is room for one of the two.
    mode === 'push' &&
      !hasRollouts && { head: 'Duration', numeric: true, cell: ({ duration_ms }) => <Milliseconds of={duration_ms} /> },
    { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
  ]
  return columns.filter((column) => column !== false)
}

function NoDispatches({ hook, isFiltered }: { hook: Hook; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty>
        No dispatch matches. <a href={`/app/deployment-hooks/${hook.id}`}>Show all dispatches</a>
      </Empty>
    )
  }
  return (
    <Empty>
      No dispatches yet. {hook.mode === 'pull' ? 'There is one' : 'The hook sends one'} when {TRIGGERS[hook.trigger_on]}.{' '}
      {hook.trigger_on === 'gate_approved' && `Gates for other environments than ${hook.environment} do not call it. `}Send a test
      to see whether it works.
    </Empty>
  )
}

export const hookPage = page(
  '/app/deployment-hooks/:hook_id',
  { hook: 'member' },
  async ({ hook, url, query }) => {
    const [shown, health, dispatches, policy] = await Promise.all([
      getHook(sql, hook),
      getHealth(sql, hook),
      listDispatches(sql, hook, { ...query, page_size: PAGE_SIZE, after: null }),
      getSendingPolicy(sql, hook),
    ])
    const { status, event, rollout } = query
    return {
      title: shown.name,
      crumbs: [tabCrumb(shown.project_id, 'deployment-hooks')],
      aside: (
        <>
          <State of={stateOf(shown)} />
          <a href={`/app/deployment-hooks/${shown.id}/latency`}>Latency</a>
          {hook.role === 'admin' && <a href={`/app/deployment-hooks/${shown.id}/edit`}>Edit</a>}
        </>
      ),
      main: (
        <>
          <Obstacle hook={shown} health={health} />
          <FreezeNotice project_id={shown.project_id} environment={shown.environment} until={policy.frozen_until} />
          <div class="columns">
            <div>
              <Section title="Dispatches" count={dispatches.total}>
                <Filters
                  url={url}
                  fields={[
                    {
                      name: 'status',
                      label: shown.report_within_seconds === null ? 'State' : 'Delivery',
                      options: optionsOf(DispatchQuery.properties.status),
                    },
                    { name: 'event', label: 'Event', options: optionsOf(DispatchQuery.properties.event) },
                    ...(shown.report_within_seconds !== null || rollout !== undefined
                      ? [{ name: 'rollout', label: 'Rollout', options: optionsOf(DispatchQuery.properties.rollout) }]
                      : []),
                  ]}
                />
                {dispatches.items.length === 0 ? (
                  <NoDispatches hook={shown} isFiltered={Boolean(status ?? event ?? rollout) || query.page > 1} />
                ) : (
                  <Table label="Dispatches" columns={columnsFor(shown, dispatches.items)} rows={dispatches.items} />
                )}
                <Pager url={url} {...dispatches} />
              </Section>
              {shown.mode === 'pull' && <Claiming hook={shown} isAdmin={hook.role === 'admin'} />}
              <Contents hook={shown} />
            </div>
            <div>
              {hook.role === 'admin' && (
                <Section title="Actions">
                  <Actions hook={shown} gate_required={policy.gate_required} />
                </Section>
              )}
              {hook.role === 'admin' && shown.enabled && policy.gate_required && (
                <OverrideSection hook={shown} mayOverride={hasAtLeast(hook.organization_role, 'admin')} />
              )}
              {hook.role === 'admin' && shown.enabled && <RecoverSection hook={shown} />}
              <HealthSection
                of={health}
                sends={shown.enabled && !shown.paused}
                nameOf={({ id, event: name }) => <a href={`/app/dispatches/${id}`}>{name}</a>}
              />
              <Settings hook={shown} />
              {hook.role === 'admin' && <KeysSection hook={shown} />}
            </div>
          </div>
        </>
      ),
    }
  },
  DispatchQuery,
)

const admin = { hook: 'admin' } as const

const test = actionOn(hookPage, '/test', admin, Nothing, async ({ request, caller, hook, change }) => {
  const { mode } = await getHook(sql, hook)
  const { id } = await change((tx) => testHook(tx, caller, hook))
  const to = `/app/dispatches/${id}`
  if (mode === 'pull') return { to, notice: 'A test waits to be claimed.' }
  await waitUntilFinished(request, ATTEMPT_SECONDS, endOfDispatch(resourceKey('dispatch', id, hook)))
  return { to, notice: 'A test was sent.' }
})

const trigger = actionOn(hookPage, '/trigger', admin, TriggerInput, async ({ request, caller, hook, change }, input) => {
  const { mode, paused } = await getHook(sql, hook)
  const { id } = await change((tx) => triggerHook(tx, caller, hook, input))
  const to = `/app/dispatches/${id}`
  if (mode === 'pull') return { to, notice: 'The hook was triggered. The dispatch waits to be claimed.' }
  if (!paused) await waitUntilFinished(request, ATTEMPT_SECONDS, endOfDispatch(resourceKey('dispatch', id, hook)))
  return { to, notice: 'The hook was triggered.' }
})

const recoverAction = actionOn(hookPage, '/recover', admin, RecoverForm, async ({ caller, hook, change }, form) => {
  const input = recoveryOf(form)
  const { redelivered } = await change((tx) => recover(tx, caller, hook, input))
  const dispatches = `${redelivered.toLocaleString('en')} dispatch${redelivered === 1 ? '' : 'es'}`
  if (input.dry_run) return { notice: `${dispatches} would be sent again.` }
  if (redelivered === 0) return { notice: 'There was nothing to send again.' }
  return { notice: `${dispatches} ${redelivered === 1 ? 'is' : 'are'} sent again.` }
})

const pause = actionOn(hookPage, '/pause', admin, Nothing, async ({ request, caller, hook, change }) => {
  await change((tx) => updateHook(tx, caller, hook, { paused: true }, request))
  return { notice: 'The hook is paused. New dispatches wait.' }
})

const resume = actionOn(hookPage, '/resume', admin, Nothing, async ({ request, caller, hook, change }) => {
  const { mode } = await change((tx) => updateHook(tx, caller, hook, { paused: false }, request))
  return { notice: `The hook is resumed. Pending dispatches ${mode === 'pull' ? 'can be claimed' : 'are sent'}.` }
})

const enable = actionOn(hookPage, '/enable', admin, Nothing, async ({ request, caller, hook, change }) => {
  await change((tx) => updateHook(tx, caller, hook, { enabled: true }, request))
  return { notice: 'The hook is enabled.' }
})

const disable = actionOn(hookPage, '/disable', admin, Nothing, async ({ request, caller, hook, change }) => {
  await change((tx) => updateHook(tx, caller, hook, { enabled: false }, request))
  return { notice: 'The hook is disabled. Its pending dispatches were cancelled.' }
})

export const hookPages = pageRoutes('hook-pages', hookPage, test, trigger, recoverAction, pause, resume, enable, disable)
