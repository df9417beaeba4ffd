import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let mail: MailCatcher

beforeAll(async () => {
  mail = await mailCatcher()
  bench = await Workbench.open({ environment: mailSettings(mail) })
})

afterAll(() => bench.close())

test('a receiver that answers 410 disables its hook, cancels waiting dispatches, and the admins get mail', async () => {
  const receiver = bench.receiver()
  const lead = await bench.box.user('Lea Lead')
  await bench.box.join(lead, bench.site, 'member', 'admin')
  const member = await bench.box.user('Mia Member')
  await bench.box.join(member, bench.site, 'member', 'member')
  // The first dispatch waits for a long retry; the second is answered with 410.
  receiver.answer = (_, number) =>
    number === 1 ? new Response('', { status: 503, headers: { 'Retry-After': '600' } }) : new Response('gone', { status: 410 })
  const { project, hook } = await bench.hookTo(receiver.url, { name: 'Deploy to the past', secret: null })
  await bench.subscribeToOutcomes(project)
  await bench.approve(project)
  await bench.tried(hook)
  await bench.approve(project)
  const [waiting, gone] = await bench.dispatches(
    hook,
    (found) => found.length === 2 && found.every(({ status }) => status !== 'pending'),
  )

  expect(waiting).toMatchObject({
    status: 'cancelled',
    attempt_count: 1,
    next_attempt_at: null,
    error: { code: 'hook_disabled' },
  })
  expect(waiting.completed_at).toEndWith('Z')
  expect(gone).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 410, error: { code: 'gone' } })
  expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body).toMatchObject({
    enabled: false,
    disabled_reason: 'The receiver answered 410 Gone.',
  })

  const events = await bench.box.sql<{ name: string; data: Answer['body'] }[]>`
    select name, data
    from outbox
    where project_id = ${project.id}
      and (name like 'deployment.%' or name like 'hook.%')
    order by id
  `
  expect(events.map(({ name }) => name).sort()).toEqual(['deployment.failed', 'hook.disabled'])
  expect(events.find(({ name }) => name === 'hook.disabled')?.data).toMatchObject({
    reason: 'The receiver answered 410 Gone.',
    hook: { id: hook.id, enabled: false, has_secret: false },
  })
  const [entry] = await bench.box.sql`
    select actor_type, actor_id, actor_name, action, ip_address, workspace_id
    from audit_log_entries
    where resource_id = ${hook.id} and action = 'hook.disabled'
  `
  expect(entry).toEqual({
    actor_type: 'system',
    actor_id: null,
    actor_name: 'Signalbox',
    action: 'hook.disabled',
    ip_address: null,
    workspace_id: bench.site.workspace.id,
  })

  // The admins get mail about the pending gates as well.
  const mails = () => mail.messages.filter(({ subject, text }) => subject.includes('hook') && text.includes(hook.id))
  await bench.box.until('both admins have mail', async () => mails().length >= 2)
  await bench.box.until(
    'no mail job is left',
    async () =>
      (await bench.box.sql`select id from graphile_worker.jobs where task_identifier = 'mail_hook_disabled'`).length === 0,
  )
  expect(
    mails()
      .flatMap(({ to }) => to)
      .sort(),
  ).toEqual([bench.admin.email, lead.email].sort())
  for (const { subject, text, html } of mails()) {
    expect(html).toContain(`/app/deployment-hooks/${hook.id}" style=`)
    expect(subject).toBe('Deployment hook "Deploy to the past" was disabled')
    expect(text).toContain('The receiver answered 410 Gone.')
    expect(text).toContain('Last attempt: The receiver answered 410. It does not want any more dispatches.')
    expect(text).toContain('enable the hook and resend the failed dispatches:')
    expect(text).toContain(`/app/deployment-hooks/${hook.id}\n`)
    expect(text).not.toContain('/api/')
  }

  // No dispatch is sent any more, except a test.ping.
  const seen = receiver.requests.length
  await bench.approve(project)
  await bench.box.until('the outbox is drained', async () => (await bench.box.sql`select id from waiting_events`).length === 0)
  receiver.answer = () => new Response('back again')
  const { body } = await bench.admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
  expect(body).toMatchObject({ status: 'succeeded', response_body: 'back again' })
  expect(receiver.requests.slice(seen).map(({ headers }) => headers['x-signalbox-event'])).toEqual(['test.ping'])
})
