/** deployment_guide: how the project is deployed and rolled back. */

import { counted, grouped, minute, share } from '../format.ts'
import { block, bullets, code, heading, inline, link, steps, table } from '../markdown.ts'
import { address, type Dispatch, type Hook, type ProjectData } from '../project-data.ts'
import { type Document, documentOf } from './document.ts'

const TRIGGERS = {
  workflow_done: 'a workflow is completed',
  gate_approved: 'a gate is approved',
} as const

const health = ({ succeeded, failed }: Hook): string =>
  succeeded + failed === 0 ? 'nothing sent yet' : `${share(succeeded, succeeded + failed)} of ${succeeded + failed}`

const hookRow = (hook: Hook): string[] => [
  inline(hook.name),
  hook.origin === null ? 'claimed by the receiver' : code(hook.origin),
  TRIGGERS[hook.trigger_on],
  hook.is_signed ? 'signed' : 'not signed',
  hook.enabled ? 'enabled' : `disabled${hook.disabled_reason ? `: ${inline(hook.disabled_reason)}` : ''}`,
  health(hook),
  hook.last_success_at ? minute(hook.last_success_at) : '–',
]

function environments({ hooks }: ProjectData): string[] {
  if (hooks.length === 0) {
    return ['There are no deployment hooks yet. Create one for each environment, then generate this guide again.']
  }
  return grouped(hooks, ({ environment }) => environment).flatMap(([environment, all]) => [
    heading(3, environment),
    table(['Hook', 'Receiver', 'Triggered when', 'Signature', 'State', 'Delivered (last 100)', 'Last success'], all.map(hookRow)),
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
    `Signalbox sends the target version to every enabled hook of the project (currently ${counted(enabled.length, 'hook')}). The receivers perform the rollback.`,
    block(
      `curl --fail-with-body -X POST '${address(`/projects/${project.id}/deployment-rollback`)}' \\
  -H "Authorization: Bearer $SIGNALBOX_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H 'Prefer: wait=25' \\
  -d '{"target_version": "1.4.2", "reason": "Checkout answers 500"}'`,
      'sh',
    ),
    'This requires the role admin in the workspace. The response lists one dispatch per hook, with its outcome.',
  ]
}

function troubleshooting({ dispatches }: ProjectData): string[] {
  const failed = dispatches.filter(({ status }) => status === 'failed')
  if (failed.length === 0) return []
  return [
    heading(2, 'Troubleshooting'),
    'Failures among the latest dispatches:',
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

export function deploymentGuide(data: ProjectData): Document {
  const hasGateHooks = data.hooks.some(({ trigger_on }) => trigger_on === 'gate_approved')
  return documentOf(data, `${data.project.name}: deployment guide`, [
    'How changes to this project are deployed to its environments, and how to roll them back.',
    heading(2, 'Before you begin'),
    bullets([
      `You have the role admin in the workspace ${inline(data.workspace.name)}, and an access token in ${code('SIGNALBOX_TOKEN')}.`,
      data.project.repository_url
        ? `The code is at ${link(data.project.repository_url, data.project.repository_url)}.`
        : 'The project has no repository URL.',
      'The receivers of signed hooks know the secrets and verify the signatures.',
    ]),
    heading(2, 'Environments'),
    ...environments(data),
    heading(2, 'Gates to pass'),
    ...gates(data),
    heading(2, 'Deploy'),
    steps([
      'Complete the executions of the workflow.',
      hasGateHooks
        ? 'Have its gates approved. Each approval triggers the hooks for gates.'
        : 'Have its gates approved, if it has any.',
      'Signalbox sends one dispatch to each triggered hook, and retries failed ones with increasing delays.',
      `Check their outcome: ${code('GET /api/v1/deployment-hooks/{hook_id}/dispatches')}.`,
    ]),
    data.workflow && heading(3, 'The workflow'),
    data.workflow && block(data.workflow.trimEnd(), 'yaml'),
    heading(2, 'Roll back'),
    ...rollback(data),
    ...troubleshooting(data),
    heading(2, 'Latest dispatches'),
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
