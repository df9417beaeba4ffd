/** deployment_guide: what runs where, and how to deploy, check and roll back, for who is on call. */
import { subjectText } from '../../../core/gates/gates.ts'
import { config } from '../../../core/platform/config.ts'
import { pageUrl } from '../../../core/tenants/links.ts'
import { minuteText } from '../../../core/values/instants.ts'
import { counted, grouped } from '../format.ts'
import { type Block, block, bullets, code, heading, inline, link, strong, table, warning } from '../markdown.ts'
import type { Gate, Hook, ProjectData } from '../project-data.ts'
import { call } from './api-calls.ts'
import { deploymentFailures } from './deployment-failures.ts'
import { type Document, documentOf, help, person } from './document.ts'
import { named } from './requirement.ts'
import { environmentsOf, rollbackTarget, runningIn, runningVersions } from './running-versions.ts'

/** Hooks and gates for which calls are written out. */
const MAX_CALLS = 8

const TRIGGERS = { workflow_done: 'a workflow is completed', gate_approved: 'a gate is approved' } as const

const health = ({ succeeded, failed }: Hook): string =>
  succeeded + failed === 0 ? 'nothing sent yet' : `${succeeded} of ${succeeded + failed}`

function stateOf({ enabled, paused, disabled_reason }: Hook): string {
  if (enabled) return paused ? 'paused' : 'enabled'
  return `disabled${disabled_reason ? `: ${inline(disabled_reason)}` : ''}`
}

const HOOK_COLUMNS = ['Hook', 'Environment', 'Receiver', 'Triggered when', 'State', 'Delivered (last 100)']

const hookRow = (hook: Hook): string[] => [
  link(hook.name, pageUrl('deployment_hook', hook.id) ?? ''),
  inline(hook.environment),
  hook.origin === null ? 'fetches its dispatches itself' : code(hook.origin),
  TRIGGERS[hook.trigger_on],
  `${stateOf(hook)}, ${hook.is_signed ? 'signed' : 'not signed'}`,
  `${health(hook)}${hook.last_success_at ? `, last ${minuteText(hook.last_success_at)}` : ''}`,
]

function orientation(data: ProjectData): string {
  const running = environmentsOf(data).flatMap((environment) => {
    const version = runningIn(environment)
    return version === null ? [] : [`${strong(inline(environment.name))} has run ${inline(version)}`]
  })
  const { contact, who } = help(data)
  const state = running.length > 0 ? `${running.slice(0, 5).join('; ')}.` : 'No rollout was reported yet.'
  const failed = data.rollouts.findLast((each) => each.state === 'failed')
  const failure = failed
    ? ` The last rollout that failed: ${inline(failed.version ?? 'a version without a name')} to ${strong(inline(failed.environment))}, ${minuteText(failed.reported_at)}.`
    : ''
  return `${state}${failure} If something breaks, read the [warning](<#roll-back>), then roll back. Contact ${who}: ${contact}.`
}

/** Those of production come first: the calls are for what matters most. */
const productionFirst = (hooks: Hook[]): Hook[] =>
  [...hooks].sort((one, other) => Number(other.environment === 'production') - Number(one.environment === 'production'))

const token = (): string => `a token of your [account](<${config.PUBLIC_URL}/app/account>)`

const pendingGates = ({ gates }: ProjectData): Gate[] => gates.filter(({ status }) => status === 'pending')

function beforeYouDeploy(data: ProjectData): Block[] {
  const { hooks, workspace } = data
  const unfit = hooks.filter(({ enabled, paused }) => !enabled || paused)
  const pending = pendingGates(data)
  const probe = productionFirst(hooks).find(({ enabled, mode }) => enabled && mode === 'push')
  return [
    `You need the role admin in the workspace ${inline(workspace.name)}, and ${token()}. Enter it once; it is not shown:`,
    block('read -rs SIGNALBOX_TOKEN && export SIGNALBOX_TOKEN', 'sh'),
    bullets([
      unfit.length === 0
        ? `Hooks: ${counted(hooks.length, 'hook')}, none disabled or paused.`
        : `Hooks: ${unfit.map((hook) => `${inline(hook.name)} is ${stateOf(hook)}`).join('; ')}.`,
      pending.length === 0
        ? 'Gates: none waits for a decision.'
        : `Gates: ${counted(pending.length, 'gate waits', 'gates wait')} for a decision; see below.`,
    ]),
    probe &&
      `Is the receiver of ${inline(probe.name)} (${inline(probe.environment)}) up? A test deploys nothing; expect ${code('"status":"succeeded"')}:`,
    probe && call('POST', `/deployment-hooks/${probe.id}/test`, { wait: 10 }),
  ]
}

function deploy(data: ProjectData): Block[] {
  const enabled = productionFirst(data.hooks).filter((hook) => hook.enabled)
  if (enabled.length === 0) return ['No hook is enabled, so nothing can be deployed.']
  const requirements = new Map(data.requirements.map((each) => [each.id, each]))
  const pending = pendingGates(data)
  const triggers = grouped(enabled, ({ trigger_on }) => trigger_on).map(
    ([on, hooks]) =>
      `When ${TRIGGERS[on as Hook['trigger_on']]}: ${hooks.map(({ name, environment }) => `${inline(name)} (${inline(environment)})`).join(', ')}.`,
  )
  return [
    'Signalbox deploys by itself:',
    bullets(triggers),
    pending.length > 0 && heading(3, 'Approve a gate'),
    ...pending.slice(0, MAX_CALLS).flatMap(({ id, name, requirement_id, environment, subject, binding, asks }) => {
      const requirement = requirement_id === null ? undefined : requirements.get(requirement_id)
      const of = requirement ? ` for ${named(requirement)}` : ''
      const about = [subject && inline(subjectText(subject)), environment && `to ${inline(environment)}`]
        .filter(Boolean)
        .join(' ')
      const gate = `${link(name, pageUrl('gate', id) ?? '')}${of}${about === '' ? '' : `, ${about}`}`
      if (asks) return [`${gate}: approve it on its page, which asks questions.`]
      // An approval says what it is about.
      const shown = subject === null ? {} : { binding }
      return [`${gate}:`, call('POST', `/gates/${id}/approve`, { body: { comment: 'Checked.', ...shown } })]
    }),
    heading(3, 'Deploy by hand'),
    'This sends a manual event to one hook; it names no version, so the receiver decides what it deploys.',
    ...enabled
      .slice(0, MAX_CALLS)
      .flatMap(({ id, name, environment }) => [
        `${strong(inline(environment))}, with ${inline(name)}:`,
        call('POST', `/deployment-hooks/${id}/trigger`, { body: {}, wait: 10 }),
      ]),
    enabled.length > MAX_CALLS && `${enabled.length - MAX_CALLS} more hooks are listed under Hooks.`,
  ]
}

function check({ project, hooks }: ProjectData): Block[] {
  const reports = hooks.some(({ report_within_seconds }) => report_within_seconds !== null)
  const enabled = productionFirst(hooks).find((hook) => hook.enabled)
  return [
    reports &&
      `What runs where: ${code('current.version')} is the new version, and ${code('latest.state')} is ${code('succeeded')}.`,
    reports && call('GET', `/projects/${project.id}/environments`),
    enabled &&
      `What was sent, newest first: ${code('status')} is ${code('succeeded')}; a ${code('pending')} one is retried for about 28 hours.`,
    enabled && call('GET', `/deployment-hooks/${enabled.id}/dispatches?page_size=5`),
    'Then look at the service itself: error rate, latency and logs for ten minutes. Roll back if they get worse.',
  ]
}

function keepIt(enabled: Hook[]): string[] {
  const [hook] = productionFirst(enabled)
  if (!hook) return []
  return [
    `The next time ${TRIGGERS[hook.trigger_on]}, ${inline(hook.name)} deploys again. To keep the version until the fault is mended, pause the hook, and set ${code('paused')} to ${code('false')} afterwards:`,
    call('PUT', `/deployment-hooks/${hook.id}`, { body: { paused: true } }),
  ]
}

function rollback(data: ProjectData): string[] {
  const enabled = data.hooks.filter((hook) => hook.enabled)
  if (enabled.length === 0) return ['No hook is enabled, so a rollback has no effect.']
  const reached = grouped(enabled, ({ environment }) => environment).map(
    ([environment, hooks]) => `${strong(inline(environment))} (${counted(hooks.length, 'hook')})`,
  )
  const target = rollbackTarget(data)
  const page = `${pageUrl('project', data.project.id)}/rollback`
  const reason = 'Errors after the deployment'
  const path = `/projects/${data.project.id}/deployment-rollback`
  return [
    warning(
      `One version goes to ${strong('all environments')}, also where it never ran: ${reached.join(', ')}. Nothing undoes database changes.`,
    ),
    `You need the role admin in the workspace ${inline(data.workspace.name)}, and ${token()}: ${code('read -rs SIGNALBOX_TOKEN && export SIGNALBOX_TOKEN')}. Check first that the database still fits the older version, and that no rollout is under way. The [rollback page](<${page}>) does the same without a shell.`,
    ...(target === null
      ? [
          'No earlier version is known to be fit. Enter the one to go back to; your deployment systems do the rollback:',
          block('read -r VERSION', 'sh'),
          call('POST', path, { body: { reason }, entered: { target_version: 'VERSION' }, wait: 25 }),
        ]
      : [
          `To ${inline(target)}, the last version known to work. Your deployment systems do the rollback.`,
          call('POST', path, { body: { target_version: target, reason }, wait: 25 }),
        ]),
    `The response lists one dispatch for each hook: ${code('status')} is ${code('succeeded')} where the receiver took it. Then check as [after a deployment](<#check>).`,
    ...keepIt(enabled),
  ]
}

const GATE_STATES = [
  ['approved', 'Approved'],
  ['changes_requested', 'Changes requested'],
  ['rejected', 'Rejected'],
  ['revoked', 'Revoked'],
  ['pending', 'Pending'],
] as const

/** Listed only if a gate is in one of them. */
const RARE_STATES = ['changes_requested', 'revoked']

const countOf = (gates: Gate[], state: string): number =>
  gates.filter(({ status, revoked_at }) => (revoked_at === null ? status : 'revoked') === state).length

function gatesToPass({ gates }: ProjectData): string[] {
  const names = grouped(gates, ({ name }) => name)
  if (names.length === 0) return ['No gate has been opened in this project.']
  const states = GATE_STATES.filter(([state]) => !RARE_STATES.includes(state) || countOf(gates, state) > 0)
  return [
    table(
      ['Gate', ...states.map(([, head]) => head), 'Decided by'],
      names.slice(0, 50).map(([name, each]) => {
        const people = [...new Map(each.map(({ decided_by_id, decided_by }) => [decided_by_id, decided_by ?? ''])).values()]
        const counts = states.map(([state]) => String(countOf(each, state)))
        return [inline(name), ...counts, people.filter(Boolean).sort().map(inline).join(', ') || '–']
      }),
      states.map((_, index) => index + 1),
    ),
  ]
}

function whomToCall(data: ProjectData): string {
  const { contact, who } = help(data)
  const admins = data.members.filter(({ role }) => role !== 'member').map(({ name }) => inline(name))
  const { repository_url, support } = data.project
  const { owner } = data.workspace
  return bullets([
    `If something breaks: ${who}, ${contact}.`,
    admins.length > 0 && `May deploy and roll back: ${admins.slice(0, 10).join(', ')}.`,
    support?.includes('://') && `Owner of the workspace: ${person(owner)}.`,
    repository_url !== null && support !== null && `Code: ${link(repository_url, repository_url)}.`,
  ])
}

function missing({ hooks, environments }: ProjectData): Block[] {
  if (hooks.length === 0) return ['The project has no deployment hook: create one for each environment.']
  const without = hooks.filter(({ report_within_seconds }) => report_within_seconds === null).length
  const which = without === hooks.length ? 'No hook' : `Not every hook (${without} of ${hooks.length} do not)`
  return [
    without > 0 &&
      `${which} has report_within_seconds: set it, and let the receivers report, so that this guide says what runs where.`,
    environments.some(({ current }) => current && current.version === null) &&
      'A rollout was reported without its version: report the version too.',
  ]
}

export function deploymentGuide(data: ProjectData): Document {
  const { hooks } = data
  return documentOf(
    data,
    'team',
    `${data.project.name}: deployment guide`,
    [
      orientation(data),
      heading(2, 'What runs where'),
      ...runningVersions(data),
      heading(2, 'Roll back'),
      ...rollback(data),
      heading(2, 'Before you deploy'),
      ...beforeYouDeploy(data),
      heading(2, 'Deploy'),
      ...deploy(data),
      heading(2, 'Check'),
      ...check(data),
      heading(2, 'Failures of the last 30 days'),
      ...deploymentFailures(data),
      heading(2, 'Who can help'),
      whomToCall(data),
      heading(2, 'Hooks'),
      hooks.length === 0 ? 'None.' : table(HOOK_COLUMNS, hooks.map(hookRow)),
      heading(2, 'Gates to pass'),
      ...gatesToPass(data),
      data.workflow && heading(2, 'The workflow'),
      data.workflow && block(data.workflow.trimEnd(), 'yaml'),
    ],
    [...missing(data), ...help(data).missing],
  )
}
