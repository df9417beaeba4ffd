/** Visits of the pages about deployment hooks, notification channels and Slack. */
import { createHash } from 'node:crypto'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import type { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

const HOOK = '/app/deployment-hooks/{hook_id}'
const DISPATCH = '/app/dispatches/{dispatch_id}'
const CHANNEL = '/app/notification-channels/{channel_id}'

async function hookPages(pages: PageWalk, walk: Walk, { box, receiver }: Context, admin: Actor): Promise<void> {
  const { dispatch_id = '', hook_id = '' } = walk.ids
  receiver.answer = () => new Response('ok')
  await pages.visit(`GET ${HOOK}`)
  await pages.visit(`GET ${HOOK}/latency`)
  for (const status of ['pending', 'succeeded', 'failed', 'cancelled']) {
    await pages.visit(`GET ${HOOK}`, {}, `?status=${status}`)
    await pages.visit(`GET ${HOOK}`, {}, `?status=${status}&event=manual.trigger`)
  }
  await pages.visit(`GET ${HOOK}`, {}, '?rollout=failed')
  await pages.visit(`GET ${HOOK}`, {}, '?rollout=failed&status=failed&event=manual.trigger')
  for (const event of ['', 'gate.approved', 'manual.trigger']) await pages.visit(`GET ${HOOK}/preview`, {}, `?event=${event}`)
  await pages.visit(`POST ${HOOK}/test`)
  await pages.visit(`GET ${HOOK}/verify`)
  await pages.visit(`POST ${HOOK}/verify`, { headers: `X-Signalbox-Delivery: ${dispatch_id}`, body: '{}' })
  const { body: hook } = await admin.put(`/api/v1/deployment-hooks/${hook_id}`, { enabled: true, report_within_seconds: 600 })
  const policy = '/app/projects/{project_id}/environment/policy'
  const fields = { environment: 'reviewed', required_approvals: '3', require_subject: 'true' }
  await pages.visit(`GET ${policy}`, {}, '?name=reviewed')
  for (const step of ['', '/save']) await pages.visit(`POST ${policy}${step}`, fields)
  await pages.visit(`POST ${policy}/delete`, { environment: 'reviewed' })
  await pages.visit('GET /app/projects/{project_id}/environment', {}, `?name=${encodeURIComponent(hook.environment)}`)
  await pages.visit(`POST ${HOOK}/trigger`)
  await pages.visit(`POST ${HOOK}/recover`, { period: 'day' })
  await pages.visit(`POST ${HOOK}/pause`)
  const trigger = async () => {
    walk.ids.dispatch_id = (await admin.make(`/api/v1/deployment-hooks/${walk.ids.hook_id}/trigger`)).id
  }
  await trigger()
  await pages.visit(`GET ${DISPATCH}`)
  await pages.visit(`POST ${DISPATCH}/report`, { state: 'succeeded', version: 'v1', url: '', description: '', digest: '' })
  await pages.visit(`POST ${DISPATCH}/cancel`)
  await pages.visit(`POST ${HOOK}/resume`)
  await admin.put(`/api/v1/deployment-hooks/${walk.ids.hook_id}`, { paused: true })
  await trigger()
  // Due far in the future, so that it still waits when it is retried.
  await box.sql`update deliveries set due_at = now() + interval '1 hour' where id = ${walk.ids.dispatch_id ?? ''}`
  await admin.put(`/api/v1/deployment-hooks/${walk.ids.hook_id}`, { paused: false })
  await pages.visit(`POST ${DISPATCH}/retry`)
  await box.settled()
  await pages.visit(`POST ${DISPATCH}/redeliver`)
  await box.settled()
  await admin.put(`/api/v1/deployment-hooks/${walk.ids.hook_id}`, { enabled: false })
  await pages.visit(`POST ${HOOK}/disable`)
  await pages.visit(`POST ${HOOK}/enable`)
  await pages.visit(`POST ${HOOK}/rotate-secret`, { overlap_seconds: '0' })
  const pulled = { name: 'Pulled', mode: 'pull', trigger_on: 'gate_approved' }
  walk.ids.hook_id = (await admin.make(`/api/v1/projects/${walk.ids.project_id}/deployment-hooks`, pulled)).id
  await pages.visit(`POST ${HOOK}/pull-token`)
  await pages.visit('GET /app/projects/{project_id}/deployment-hooks/new', {}, '?template=gitlab')
  const form = { name: 'Made on a page', environment: 'staging', trigger_on: 'gate_approved' }
  await pages.visit('POST /app/projects/{project_id}/deployment-hooks/new', { ...form, mode: 'pull' })
  await pages.visit(`GET ${HOOK}/edit`)
  const filter = { 'filter/0.pointer': '/data/gate/name', 'filter/0.value': 'Release' }
  for (const step of ['/try', '']) await pages.visit(`POST ${HOOK}/edit${step}`, { ...form, ...filter })
  await pages.visit(`POST ${HOOK}/edit/delete`)
  Object.assign(walk.ids, { dispatch_id, hook_id })
}

async function channelPages(pages: PageWalk, walk: Walk, admin: Actor): Promise<void> {
  const { channel_id = '', workspace_id = '' } = walk.ids
  const { body: log } = await admin.get(`/api/v1/notification-channels/${channel_id}/logs`)
  await pages.visit(`GET ${CHANNEL}`)
  await pages.visit(`GET ${CHANNEL}`, {}, `?after=${log[0].id}`)
  await pages.visit(`POST ${CHANNEL}/test`)
  await admin.put(`/api/v1/workspaces/${workspace_id}/notification-channels/${channel_id}`, { enabled: false })
  await pages.visit(`POST ${CHANNEL}/enable`)
  const made = { name: 'Made on a page', enabled: 'true', 'config/url': 'https://example.com/in' }
  await pages.visit('GET /app/workspaces/{workspace_id}/channels/new', {}, '?type=webhook')
  await pages.visit('POST /app/workspaces/{workspace_id}/channels/new', { channel_type: 'webhook', ...made })
  const { body: channels } = await admin.get(`/api/v1/workspaces/${workspace_id}/notification-channels`)
  walk.ids.channel_id = channels[0].id
  await pages.visit(`GET ${CHANNEL}/edit`)
  await pages.visit(`POST ${CHANNEL}/edit`, { ...made, name: 'Changed on a page', 'config/secret': 'a secret' })
  await pages.visit(`GET ${CHANNEL}/subscriptions`, {}, `?project_id=${walk.ids.project_id}`)
  await pages.visit(`POST ${CHANNEL}/subscriptions`, { project_id: '', event_patterns: ['', 'gate.*', 'budget.alert'] })
  await pages.visit(`POST ${CHANNEL}/subscriptions`, { project_id: walk.ids.project_id ?? '', event_patterns: [''] })
  await pages.visit(`POST ${CHANNEL}/edit/delete`)
  walk.ids.channel_id = channel_id
}

async function slackPages(pages: PageWalk, walk: Walk, { box, slack }: Context, admin: Actor): Promise<void> {
  const { workspace_id = '' } = walk.ids
  const input = { name: 'Slack', channel_type: 'slack', config: slack.config }
  const { id } = await admin.make(`/api/v1/workspaces/${workspace_id}/notification-channels`, input)
  const { document } = await pages.visitor.open(`/app/notification-channels/${id}`)
  const href = document.querySelector('a[href*="/oauth/v2/authorize"]')?.getAttribute('href') ?? ''
  const state = new URL(href).searchParams.get('state') ?? ''
  slack.codes.add('code')
  await pages.visit('GET /slack/oauth', {}, `?${new URLSearchParams({ code: 'code', state })}`)
  await admin.delete(`/api/v1/workspaces/${workspace_id}/notification-channels/${id}`)

  const token = 'a-token-of-a-link'
  await box.sql`
    insert into slack_link_tokens (hash, team_id, external_id, expires_at)
    values (${createHash('sha256').update(token).digest()}, 'T0ACME', 'U0PAGES', now() + interval '10 minutes')
  `
  await pages.visit('GET /link/slack', {}, `?token=${token}`)
  const refused = await pages.visitor.post(`/link/slack?token=${token}`, { current_password: PASSWORD })
  if (refused.status !== 409) throw new Error(`A password linked a Slack account: ${refused.status}`)
  walk.succeeded.add('POST /link/slack')
  const signIn = refused.document.querySelector('a[href*="/openid/connect/authorize"]')?.getAttribute('href') ?? ''
  await pages.visit('GET /slack/oauth/link', {}, `?${slack.authorize(signIn, 'U0PAGES').split('?')[1]}`)
}

/** Visits the pages of hooks, dispatches and channels, and those that Slack leads to. */
export async function destinationPages(pages: PageWalk, walk: Walk, context: Context, admin: Actor): Promise<void> {
  await hookPages(pages, walk, context, admin)
  await channelPages(pages, walk, admin)
  await slackPages(pages, walk, context, admin)
}
