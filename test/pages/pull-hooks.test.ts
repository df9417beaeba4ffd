/** What the pages show of pull hooks, signatures, templates, filters and previews, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PullWorkbench } from '../pull-hooks/workbench.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

const EVIL = '</pre><script>alert("1")</script>'

let bench: PullWorkbench
let visitor: PageClient
let reader: PageClient

beforeAll(async () => {
  bench = await PullWorkbench.open()
  visitor = await PageClient.signedIn(bench.box, bench.admin)
  const member = await bench.box.user('Reader')
  await bench.box.join(member, bench.site, 'member', 'member')
  reader = await PageClient.signedIn(bench.box, member)
})
afterAll(() => bench.close())

const pageOf = ({ id }: Body) => `/app/deployment-hooks/${id}`
const openDispatch = ({ id }: Body): Promise<Visit> => visitor.open(`/app/dispatches/${id}`)
const region = ({ document }: Visit, label: string) => document.querySelector(`section[aria-label="${label}"]`)?.textContent
const warningOf = ({ document }: Visit) => document.querySelector('main > .notice.warn')
const factsOf = ({ document }: Visit): Record<string, string> =>
  Object.fromEntries(
    [...document.querySelectorAll('.facts > div')].map((each) => [
      each.querySelector('dt')?.textContent,
      each.querySelector('dd')?.textContent,
    ]),
  )

describe('The page of a pull hook', () => {
  test('has no URL, and says how its dispatches are claimed', async () => {
    const { hook } = await bench.pulled({ report_within_seconds: 1800 })
    const page = await visitor.open(pageOf(hook))
    expect([page.status, factsOf(page).URL, factsOf(page)['Reports within']]).toEqual([200, undefined, '30 min'])
    const commands = region(page, 'How to start an agent') ?? ''
    const port = new URL(bench.box.base).port
    for (const part of ['SIGNALBOX_TOKEN=sbx_pull_…', `--hook ${hook.id}`, '--url http://', `:${port} -- `])
      expect(commands).toContain(part)
    expect(page.text).toContain(`POST /api/v1/deployment-hooks/${hook.id}/pull-token`)
    expect(page.document.querySelector('a[href="/docs/receivers/pull"]')).not.toBeNull()
    expect(page.text).toContain('No dispatches yet. There is one when a gate of the project is approved.')
    expect(page.text).toContain('Gates for other environments than production do not call it.')
    expect((await reader.open(pageOf(hook))).text).toContain('which an admin calls')
  })

  test('never shows the pull token', async () => {
    const { hook, token } = await bench.pulled()
    expect((await visitor.open(pageOf(hook))).html).not.toContain(token)
  })

  test('counts what is leased', async () => {
    const pulled = await bench.pulled()
    await bench.trigger(pulled)
    await bench.trigger(pulled)
    expect(factsOf(await visitor.open(pageOf(pulled.hook))).Leased).toBeUndefined()
    await bench.claimOne(pulled)
    const facts = factsOf(await visitor.open(pageOf(pulled.hook)))
    expect([facts.Pending, facts.Leased]).toEqual(['2', '1'])
  })

  test('makes a test that waits to be claimed', async () => {
    const { hook } = await bench.pulled()
    const done = await visitor.press(await visitor.open(pageOf(hook)), 'Send a test')
    expect(done.text).toContain('A test waits to be claimed.')
    expect(done.text).toContain('It waits until it is claimed.')
  })
})

describe('The page of a dispatch that is claimed', () => {
  test('says that it is leased and until when, then how it was acknowledged', async () => {
    const pulled = await bench.pulled()
    const dispatch = await bench.trigger(pulled)
    expect((await openDispatch(dispatch)).text).toContain('It waits until it is claimed.')
    const claimed = await bench.claimOne(pulled, { lease_seconds: 600 })
    const leased = await openDispatch(dispatch)
    expect(warningOf(leased)?.textContent).toContain('It is leased until')
    expect(warningOf(leased)?.textContent).toContain('for attempt 1 of 3.')
    expect(warningOf(leased)?.querySelector('time')?.getAttribute('datetime')).toBe(claimed.lease_until)

    await bench.acknowledge(pulled, claimed, { outcome: 'succeeded', detail: EVIL })
    const done = await openDispatch(dispatch)
    expect(done.document.querySelector('.notice.good')?.textContent).toBe('Its claimer acknowledged it, at attempt 1 of 3.')
    expect([region(done, 'Detail of attempt 1'), done.document.querySelector('main script')]).toEqual([EVIL, null])
    const heads = [...done.document.querySelectorAll('table[aria-label=Attempts] th')].map((each) => each.textContent)
    expect(heads).toEqual(['Attempt', 'Outcome', 'Claimed', 'Held'])
  })

  test('shows a lease that has run out as a failed attempt', async () => {
    const pulled = await bench.pulled()
    const dispatch = await bench.trigger(pulled)
    await bench.runOut(await bench.claimOne(pulled))
    await bench.claimOne(pulled)
    const page = await openDispatch(dispatch)
    expect(warningOf(page)?.textContent).toContain('for attempt 2 of 3.')
    const outcomes = [...page.document.querySelectorAll('table[aria-label=Attempts] td.main')].map((each) => each.textContent)
    expect(outcomes).toHaveLength(1)
    expect(outcomes[0]).toContain('failed')
  })
})

describe('The page of a hook', () => {
  test('shows the public key of a hook that signs with one, and no secret', async () => {
    const { hook } = await bench.hooked({ signature: 'ed25519' })
    const page = await visitor.open(pageOf(hook))
    expect(factsOf(page)).toMatchObject({ Signed: 'with an ed25519 key', 'Public key': hook.public_key })
    expect(hook.public_key).toStartWith('whpk_')
    // One click selects it.
    expect(page.document.querySelector('code.whole')?.textContent).toBe(hook.public_key)
  })

  test('shows filter and template as they are stored, and template secrets by name only', async () => {
    const filter = { '/data/gate/name': { starts_with: EVIL } }
    const body_template = { z: '{{/event}}', a: `${EVIL} {{secret:token}}`, b: '{{{{' }
    const { hook } = await bench.hooked({ filter, body_template, template_secrets: { token: 'hush-4711' } })
    const page = await visitor.open(pageOf(hook))
    expect(region(page, 'Filter')).toBe(JSON.stringify(filter, null, 2))
    expect(region(page, 'Body template')).toBe(JSON.stringify(body_template, null, 2))
    expect(factsOf(page)['Template secrets']).toBe('token')
    expect([page.html.includes('hush-4711'), page.document.querySelector('main script')]).toEqual([false, null])
  })
})

describe('The page of a preview', () => {
  const open = (hook: Body, event = '') => visitor.open(`${pageOf(hook)}/preview?event=${event}`)

  test('shows what would be sent, with secrets masked', async () => {
    const { hook } = await bench.hooked({
      body_template: { text: `${EVIL} {{/event}}`, token: '{{secret:token}}' },
      template_secrets: { token: 'hush-4711' },
    })
    const link = [...(await visitor.open(pageOf(hook))).document.querySelectorAll('a')].find(
      (each) => each.textContent === 'Preview',
    )
    const page = await visitor.open(link?.getAttribute('href') ?? '')
    const body = { text: `${EVIL} gate.approved`, token: '********' }
    expect([page.status, region(page, 'Body')]).toEqual([200, JSON.stringify(body, null, 2)])
    expect(region(page, 'Headers')).toContain('webhook-signature: ********')
    expect([page.html.includes('hush-4711'), page.document.querySelector('main script')]).toEqual([false, null])
    expect(region(await open(hook, 'test.ping'), 'Body')).toContain('</script> test.ping')
    expect((await bench.listed(hook)).total).toBe(0)
  })

  test('says which condition fails', async () => {
    const { hook } = await bench.hooked({ filter: { '/data/gate/name': EVIL } })
    const page = await open(hook, 'gate.approved')
    expect(page.text).toContain('The filter leaves this event out')
    expect(factsOf(page)).toMatchObject({ 'Condition on': '/data/gate/name', Requires: JSON.stringify(EVIL) })
    expect(page.document.querySelector('main script')).toBeNull()
    expect((await open(hook, 'manual.trigger')).text).toContain('This event would make a dispatch.')
  })

  test('says that a body is too large', async () => {
    const { hook } = await bench.hooked({ body_template: { a: Array.from({ length: 900 }, () => '{{/data}}') } })
    const gate = { id: crypto.randomUUID(), name: 'x'.repeat(4_000) }
    await bench.box.sql`
      insert into outbox (name, organization_id, workspace_id, project_id, data)
      select 'gate.approved', organization_id, workspace_id, project_id, ${bench.box.sql.json({ gate })}
      from deployment_hooks
      where id = ${hook.id}
    `
    await bench.box.sql`delete from waiting_events`
    const page = await open(hook)
    expect([page.status, page.text.includes('would be larger than 1 MiB')]).toEqual([200, true])
  })

  test('is for members; an unknown event is refused', async () => {
    const { hook } = await bench.hooked()
    const path = `${pageOf(hook)}/preview`
    expect((await reader.open(path)).status).toBe(200)
    const stranger = await PageClient.signedIn(bench.box, await bench.box.user('Stranger'))
    expect((await stranger.open(path)).status).toBe(404)
    expect((await open(hook, 'nothing.happened')).status).toBe(422)
  })
})
