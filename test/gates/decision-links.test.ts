/** Links in mails about a gate, from the mail of a worker to the decision, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { moveExpiry } from '../support/fixed-gates.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { whereIs } from '../support/secrecy.ts'
import { approve, type Committee, reject } from './committee.ts'
import { expectToLast, type Gate, LINK, LinkMails } from './link-mails.ts'

const DEAD = 'This link no longer works'

let mails: LinkMails
let committee: Committee
/** A browser without cookies: links work without signing in. */
let visitor: PageClient

beforeAll(async () => {
  mails = await LinkMails.open()
  committee = mails.committee
  visitor = new PageClient(committee.box)
})
afterAll(() => committee.close())

const openedWithLink = (input: object = {}) => mails.openedWithLink(input)
const linkOf: LinkMails['linkOf'] = (gate, to, count) => mails.linkOf(gate, to, count)
/** Posts the form of a link, as its page would. */
const decide = (link: string, decision: 'approve' | 'reject', comment = '') => visitor.post(link, { decision, comment })

const isDead = ({ status, text, document }: Visit, { id }: Gate): boolean =>
  status === 410 && text.includes(DEAD) && document.querySelector(`main a[href="/app/gates/${id}"]`) !== null

describe('The mail about a gate', () => {
  test('has one button, to a link for one person, of which only the hash is stored', async () => {
    const { gate, link } = await openedWithLink()
    const [message] = mails.about(gate, committee.grace)
    expect(message?.html?.match(/class="button"/g)).toHaveLength(1)
    expect(message?.html).toContain(`href="https://signalbox.example.com${link}"`)
    for (const shown of [message?.text, message?.html]) {
      expect(shown).toContain('Approve or reject')
      expect(shown).toMatch(
        /as you and without signing in, until \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC\. Do not forward this mail\./,
      )
    }
    const others = await Promise.all([committee.ada, committee.mary].map((person) => linkOf(gate, person)))
    expect(new Set([link, ...others]).size).toBe(3)
    const [stored] = await mails.rowsOf(gate, committee.grace)
    const token = link.split('token=')[1] ?? ''
    expect(Buffer.from(stored?.hash ?? '').toString('hex')).toBe(new Bun.CryptoHasher('sha256').update(token).digest('hex'))
    expectToLast(stored, 86_400, gate)
    await decide(link, 'approve')
    expect(await whereIs(committee.box, token.split('.')[1] ?? token)).toEqual([])
  })

  test('has a link that expires with the gate', async () => {
    const { gate } = await openedWithLink({ expires_in_seconds: 3600 })
    const [stored] = await mails.rowsOf(gate, committee.grace)
    expectToLast(stored, 3_600, gate)
  })

  test('leads to the page of the gate where it cannot be decided by mail', async () => {
    const { project } = await committee.withPolicy({ decide_via: ['api', 'app'] })
    const gate = await committee.opened({}, project)
    await committee.box.until('the mail came', async () => mails.about(gate, committee.grace).length === 1)
    const [message] = mails.about(gate, committee.grace)
    expect(message?.html).toContain(`class="button" href="https://signalbox.example.com/app/gates/${gate.id}"`)
    expect([LINK.test(message?.text ?? ''), (await mails.rowsOf(gate)).length]).toEqual([false, 0])
  })

  test('leads to the page of the gate where a passkey is required', async () => {
    const { project } = await committee.withPolicy({})
    const path = `/api/v1/projects/${project.id}/environments/production/policy`
    expect((await committee.ada.put(path, { require_passkey: true })).status).toBe(200)
    const gate = await committee.opened({ environment: 'production' }, project)
    await committee.box.until('the mail came', async () => mails.about(gate, committee.grace).length === 1)
    const [message] = mails.about(gate, committee.grace)
    expect(message?.html).toContain(`class="button" href="https://signalbox.example.com/app/gates/${gate.id}"`)
    expect(message?.text).toContain('To approve it, confirm with a passkey on its page.')
    expect([LINK.test(message?.text ?? ''), (await mails.rowsOf(gate)).length]).toEqual([false, 0])
  })

  test('that is sent again has a new link; using either uses up both', async () => {
    const { gate, link } = await openedWithLink({ required_approvals: 2 })
    const [{ id }] = await committee.box.sql<[{ id: string }]>`
      select id from notifications where resource_id = ${gate.id} and user_id = ${committee.grace.id}
    `
    await committee.box
      .sql`select graphile_worker.add_job('mail_notification', ${committee.box.sql.json({ notification_id: id })}::json)`
    const second = await linkOf(gate, committee.grace, 2)
    expect(second).not.toBe(link)
    // A mail server may have dropped the second mail, which has the same Message-ID.
    expect((await decide(link, 'approve')).status).toBe(200)
    expect(isDead(await decide(second, 'reject'), gate)).toBe(true)
    expect((await committee.gateOf(gate)).approvals).toHaveLength(1)
  })
})

describe('Opening the link', () => {
  test('shows the gate, whom the link is for, and a form, and changes nothing', async () => {
    const { gate, link } = await openedWithLink({ description: 'Is it ready?' })
    for (const method of ['GET', 'HEAD', 'GET']) {
      const headers = { 'Sec-Purpose': 'prefetch', 'User-Agent': 'Mail scanner' }
      expect((await visitor.send(method, link, undefined, headers)).status).toBe(200)
    }
    const page = await visitor.open(link)
    for (const text of [
      'Release review',
      'Is it ready?',
      'Acceptance criteria',
      `This link is for Grace (${committee.grace.email})`,
    ])
      expect(page.text).toContain(text)
    const buttons = [...page.document.querySelectorAll('main form button')].map(({ textContent }) => textContent)
    // Programs that look into mails press the first button.
    expect(buttons).toEqual(['Decide later', 'Approve', 'Request changes', 'Reject'])
    expect(page.html).not.toContain(link.split('token=')[1] ?? '')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending', approvals: [], updated_at: gate.updated_at })
    expect(await mails.rowsOf(gate, committee.grace)).toHaveLength(1)
  })
})

describe('Pressing a button', () => {
  test('approves as that person by mail, shows the gate, and signs nobody in', async () => {
    const { gate, link } = await openedWithLink()
    const done = await visitor.press(await visitor.open(link), 'Approve', { comment: 'Two\r\nlines' })
    expect([done.status, done.path]).toEqual([200, link])
    expect(done.text).toContain('You approved this gate.')
    expect(done.text).toContain('Grace approved this gate by the mailed link')
    expect([done.headers.getSetCookie(), visitor.cookies.size]).toEqual([[], 0])
    expect((await visitor.open('/app')).path).toBe('/sign-in?next=%2Fapp')
    expect(await committee.gateOf(gate)).toMatchObject({
      status: 'approved',
      decided_by: committee.grace.id,
      decided_via: 'mail',
      comment: 'Two\nlines',
      approvals: [{ user_id: committee.grace.id, via: 'mail' }],
    })
    const path = `/api/v1/organizations/${committee.site.organization.id}/audit-logs?action=gate.approved`
    const entry = (await committee.ada.get(path)).body.items.find((each: { resource_id: string }) => each.resource_id === gate.id)
    expect(entry).toMatchObject({
      actor_id: committee.grace.id,
      actor_name: 'Grace',
      actor_type: 'human',
      ip_address: '127.0.0.1',
    })
    expect((await committee.executionOf(gate)).status).toBe('running')
  })

  test('rejects; and an approval that leaves others missing shows how many there are', async () => {
    const rejected = await openedWithLink()
    const done = await visitor.press(await visitor.open(rejected.link), 'Reject')
    expect(done.text).toContain('You rejected this gate. Its execution failed.')
    expect(await committee.gateOf(rejected.gate)).toMatchObject({ status: 'rejected', decided_via: 'mail', comment: null })

    const { gate, link } = await openedWithLink({ required_approvals: 2 })
    const first = await visitor.press(await visitor.open(link), 'Approve')
    expect(first.text).toContain('You approved this gate: 1 of 2 approvals.')
    await decide(await linkOf(gate, committee.mary), 'approve')
    expect((await committee.gateOf(gate)).status).toBe('approved')
  })

  test('requests changes, with a comment', async () => {
    const { gate, link } = await openedWithLink()
    const page = await visitor.open(link)
    const refused = await visitor.press(page, 'Request changes')
    expect([refused.status, (await committee.gateOf(gate)).status]).toEqual([422, 'pending'])
    const done = await visitor.press(page, 'Request changes', { comment: 'Split the migration.' })
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('You requested changes at this gate.')])
    expect(await committee.gateOf(gate)).toMatchObject({
      status: 'changes_requested',
      decided_via: 'mail',
      decided_by: committee.grace.id,
      comment: 'Split the migration.',
    })
    expect((await visitor.open(link)).status).toBe(410)
  })

  test('needs an Origin of this service', async () => {
    const { gate, link } = await openedWithLink()
    for (const Origin of ['', 'null', 'https://evil.example']) {
      expect((await visitor.send('POST', link, 'decision=approve', { Origin })).status).toBe(403)
    }
    expect([(await committee.gateOf(gate)).status, (await mails.rowsOf(gate, committee.grace)).length]).toEqual(['pending', 1])
  })

  test('decides as the recipient, no matter who is signed in', async () => {
    const { gate, link } = await openedWithLink()
    const other = await PageClient.signedIn(committee.box, committee.member)
    const page = await other.open(link)
    expect(page.text).toContain('This link is for Grace')
    expect((await other.press(page, 'Approve')).status).toBe(200)
    expect((await committee.gateOf(gate)).decided_by).toBe(committee.grace.id)
  })

  test('with a comment that is too long, or no decision, shows the form again', async () => {
    const { gate, link } = await openedWithLink()
    const long = await visitor.press(await visitor.open(link), 'Approve', { comment: 'x'.repeat(10_001) })
    expect([long.status, long.document.querySelector('#comment-error') !== null]).toEqual([422, true])
    expect((await visitor.post(link, { comment: '' })).status).toBe(422)
    expect([(await committee.gateOf(gate)).status, (await mails.rowsOf(gate, committee.grace)).length]).toEqual(['pending', 1])
  })
})

describe('A refusal', () => {
  test('for a role that is now too low is a page, and does not use up the link', async () => {
    const gate = await committee.opened()
    const link = await linkOf(gate, committee.mary)
    const { box, site, mary } = committee
    await box.setRole(mary, site.organization.id, 'member')
    await box.sql`
      insert into workspace_members (workspace_id, organization_id, user_id, role)
      values (${site.workspace.id}, ${site.organization.id}, ${mary.id}, 'member')
    `
    const shown = await visitor.open(link)
    expect([shown.status, shown.document.querySelector('main form')]).toEqual([200, null])
    expect(shown.text).toContain('An admin of the workspace has to decide this gate.')
    const refused = await decide(link, 'approve', 'I think so')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(refused.text).toContain('requires the role admin in the workspace; your role is member')
    expect(refused.text).toContain('I think so')
    await box.sql`delete from workspace_members where user_id = ${mary.id}`
    await box.setRole(mary, site.organization.id, 'admin')
    expect((await committee.gateOf(gate)).status).toBe('pending')
    expect((await decide(link, 'approve')).status).toBe(200)
  })

  test('of a self-approval, and of a second approval, leaves the link for a rejection', async () => {
    const own = await committee.opened({ prevent_self_approval: true })
    const mine = await linkOf(own, committee.ada)
    const page = await visitor.open(mine)
    expect(page.text).toContain('another person has to approve it')
    expect((await decide(mine, 'approve')).status).toBe(403)
    expect((await visitor.press(page, 'Reject')).status).toBe(200)
    expect((await committee.gateOf(own)).status).toBe('rejected')

    const { gate, link } = await openedWithLink({ required_approvals: 2 })
    await approve(committee.grace, gate)
    const again = await decide(link, 'approve')
    expect([again.status, again.text.includes('You have already approved this gate.')]).toEqual([409, true])
    expect((await decide(link, 'reject')).status).toBe(200)
  })
})

describe('A link that does not work', () => {
  test('because it was used says what was decided with it, and when', async () => {
    const { gate, link } = await openedWithLink({ required_approvals: 3 })
    await decide(link, 'approve')
    const { approvals } = await committee.gateOf(gate)
    const when = approvals[0].created_at.slice(0, 16).replace('T', ' ')
    for (const page of [await visitor.open(link), await decide(link, 'reject')])
      expect(page.text).toContain(`You approved this gate by the mailed link on ${when}`)

    const rejected = await openedWithLink()
    await decide(rejected.link, 'reject')
    expect((await visitor.open(rejected.link)).text).toContain('You rejected this gate by the mailed link on')

    const unused = await openedWithLink()
    await committee.box.sql`update decision_links set expires_at = now() where gate_id = ${unused.gate.id}`
    expect((await visitor.open(unused.link)).text).toContain('It has expired. Nothing was decided with it.')
  })

  test('because it was used is a page with 410 that leads to the gate', async () => {
    const { gate, link } = await openedWithLink({ required_approvals: 3 })
    await decide(link, 'approve')
    expect(isDead(await visitor.open(link), gate)).toBe(true)
    expect(isDead(await decide(link, 'reject'), gate)).toBe(true)
    expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending', approvals: [{ user_id: committee.grace.id }] })
  })

  test('because it expired, also after it was deleted', async () => {
    const { gate, link } = await openedWithLink()
    await committee.box.sql`update decision_links set expires_at = now() where gate_id = ${gate.id}`
    expect(isDead(await visitor.open(link), gate)).toBe(true)
    expect(isDead(await decide(link, 'approve'), gate)).toBe(true)
    await committee.box.sql`delete from decision_links where gate_id = ${gate.id}`
    expect(isDead(await visitor.open(link), gate)).toBe(true)
    expect((await committee.gateOf(gate)).status).toBe('pending')
  })

  test('because it is unknown, or of another gate', async () => {
    const { gate, link } = await openedWithLink()
    const other = await committee.opened()
    const secret = link.split('.').at(-1) ?? ''
    for (const token of [`${gate.id}.${'x'.repeat(43)}`, `${gate.id}.${secret.slice(1)}x`]) {
      expect(isDead(await visitor.open(`/decide?token=${token}`), gate)).toBe(true)
      expect(isDead(await decide(`/decide?token=${token}`, 'approve'), gate)).toBe(true)
    }
    expect(isDead(await decide(`/decide?token=${other.id}.${secret}`, 'approve'), other)).toBe(true)
    for (const path of ['/decide', '/decide?token=', '/decide?token=x', `/decide?token=${gate.id}`, '/decide?token=%00']) {
      const page = await visitor.open(path)
      expect([path, page.status, page.document.querySelector('main a')?.getAttribute('href')]).toEqual([path, 410, '/app'])
    }
    expect((await decide(`/decide?token=${secret}`, 'approve')).status).toBe(410)
    expect((await committee.gateOf(gate)).status).toBe('pending')
  })

  test('because the gate is decided or has expired', async () => {
    const { gate, link } = await openedWithLink()
    const page = await visitor.open(link)
    await reject(committee.ada, gate)
    expect(isDead(await visitor.open(link), gate)).toBe(true)
    const late = await visitor.press(page, 'Approve', { comment: 'Looks good' })
    expect([isDead(late, gate), late.text.includes('it is rejected'), late.text.includes('Looks good')]).toEqual([
      true,
      true,
      true,
    ])
    expect(late.text).toContain('What you had typed:Looks good')
    expect((await visitor.press(page, 'Approve')).text).not.toContain('What you had typed')

    const expired = await openedWithLink({ expires_in_seconds: 3600 })
    await moveExpiry(committee.box.sql, expired.gate.id)
    expect(isDead(await decide(expired.link, 'approve'), expired.gate)).toBe(true)
    expect((await committee.gateOf(expired.gate)).approvals).toEqual([])
  })
})
