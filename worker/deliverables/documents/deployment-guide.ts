/** deployment_guide: how this project is deployed and rolled back, for whoever does it today. */
import { block, bullets, code, heading, inline, joined, link, steps, table } from '../markdown.ts'
import { address, type Dispatch, type Hook, type ProjectData } from '../project-data.ts'
import { counted, grouped, minute, share } from '../words.ts'
import { narrowedTo } from './requirement.ts'

const TRIGGERS = {
  workflow_done: 'the last execution of a workflow ends well',
  gate_approved: 'a gate is approved',
} as const

const health = ({ succeeded, failed }: Hook): string =>
  succeeded + failed === 0 ? 'nothing sent yet' : `${share(succeeded, succeeded + failed)} of ${succeeded + failed}`

const hookRow = (hook: Hook): string[] => [
  inline(hook.name),
  code(hook.origin),
  TRIGGERS[hook.trigger_on],
  hook.has_secret ? 'signed' : 'not signed',
  hook.enabled ? 'on' : `off${hook.disabled_reason ? `: ${inline(hook.disabled_reason)}` : ''}`,
  health(hook),
  hook.last_success_at ? minute(hook.last_success_at) : '–',
]

function environments({ hooks }: ProjectData): string[] {
  if (hooks.length === 0) {
    return [
      'No deployment hook is set up, so nothing is deployed from here yet. Create one for each environment; then generate this guide again.',
    ]
  }
  return grouped(hooks, ({ environment }) => environment).flatMap(([environment, all]) => [
    heading(3, environment),
    table(
      ['Hook', 'Goes to', 'Fires when', 'Signature', 'State', 'Delivered, of the last 100', 'Last success'],
      all.map(hookRow),
    ),
  ])
}

function gates({ gates: all }: ProjectData): string[] {
  const names = grouped(all, ({ name }) => name)
  if (names.length === 0) return ['No gate has been opened in this project.']
  return [
    table(
      ['Gate', 'Approved', 'Rejected', 'Pending', 'Decided by'],
      names.map(([name, each]) => {
        const number = (state: string) => String(each.filter(({ status }) => status === state).length)
        const people = [...new Set(each.flatMap(({ decided_by }) => (decided_by ? [decided_by] : [])))].sort()
        return [inline(name), number('approved'), number('rejected'), number('pending'), people.map(inline).join(', ') || '–']
      }),
      [1, 2, 3],
    ),
  ]
}

function rollback({ project, hooks }: ProjectData): string[] {
  const enabled = hooks.filter((hook) => hook.enabled)
  return [
    `Signalbox tells every enabled hook of the project (${counted(enabled.length, 'hook')} now) which version to go back to; the receiver does the rest.`,
    block(
      `curl --fail-with-body -X POST '${address(`/projects/${project.id}/deployment-rollback`)}' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Prefer: wait=25' \\
  -d '{"target_version": "1.4.2", "reason": "Checkout answers 500"}'`,
      'sh',
    ),
    'It needs the role admin in the workspace. The answer lists one dispatch for each hook, with what became of it.',
  ]
}

function troubles({ dispatches }: ProjectData): string[] {
  const failed = dispatches.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return []
  return [
    heading(2, 'Troubleshooting'),
    'What went wrong among the newest dispatches:',
    bullets(
      grouped(failed, ({ hook, response_status, error_code }) => JSON.stringify([hook, response_status, error_code])).map(
        ([, all]) => {
          const [{ hook, response_status, error_code }] = all as [Dispatch]
          const why = response_status === null ? code(error_code ?? 'failed') : `answered ${response_status}`
          return `${inline(hook)}: ${why}, ${counted(all.length, 'time')}`
        },
      ),
    ),
  ]
}

export function deploymentGuide(data: ProjectData): string {
  const waits = data.hooks.some(({ trigger_on }) => trigger_on === 'gate_approved')
  return joined([
    heading(1, `${data.project.name}: deployment guide`),
    narrowedTo(data),
    'How changes of this project reach its environments, and how to take one back.',
    heading(2, 'Before you begin'),
    bullets([
      `You have the role admin in the workspace ${inline(data.workspace.name)}, and an access token in ${code('SIGNALBOX_TOKEN')}.`,
      data.project.repository_url
        ? `The code is at ${link(data.project.repository_url, data.project.repository_url)}.`
        : 'The project names no repository.',
      'A receiver whose hook is signed holds the secret of it, and checks the signature of what it gets.',
    ]),
    heading(2, 'Environments'),
    ...environments(data),
    heading(2, 'Gates to pass'),
    ...gates(data),
    heading(2, 'Deploy'),
    steps([
      'Finish the work: complete the executions of the workflow.',
      waits
        ? 'Have its gates approved: the hooks that wait for a gate fire with each approval.'
        : 'Have its gates approved, if it has any.',
      'Signalbox sends one dispatch to each hook that waits for this; a failed one is tried again, with growing delays.',
      `Check what became of them: ${code('GET /api/v1/deployment-hooks/{hook_id}/dispatches')}.`,
    ]),
    data.workflow && heading(3, 'The workflow'),
    data.workflow && block(data.workflow.trimEnd(), 'yaml'),
    heading(2, 'Roll back'),
    ...rollback(data),
    ...troubles(data),
    heading(2, 'Newest dispatches'),
    data.dispatches.length > 0
      ? table(
          ['When', 'Hook', 'Environment', 'Event', 'Outcome'],
          data.dispatches.map(({ created_at, hook, environment, event, status, response_status }) => [
            minute(created_at),
            inline(hook),
            code(environment),
            code(event),
            response_status === null ? status : `${status} (${response_status})`,
          ]),
        )
      : 'None yet.',
  ])
}
