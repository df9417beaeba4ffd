/** Mailed links that are used at the same time as each other or another decision, and by people who are gone. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { approve, type Committee, reject } from './committee.ts'
import { type Gate, LinkMails } from './link-mails.ts'

let mails: LinkMails
let committee: Committee
let visitor: PageClient

beforeAll(async () => {
  mails = await LinkMails.open()
  committee = mails.committee
  visitor = new PageClient(committee.box)
})
afterAll(() => committee.close())

const decide = (link: string, decision: 'approve' | 'reject') => visitor.post(link, { decision })

const auditEntries = async ({ id }: Gate): Promise<string[]> => {
  const path = `/api/v1/organizations/${committee.site.organization.id}/audit-logs?action=gate.*&page_size=100`
  const { items } = (await committee.ada.get(path)).body
  return items
    .filter((entry: { resource_id: string; action: string }) => entry.resource_id === id && entry.action !== 'gate.pending')
    .map(({ action }: { action: string }) => action)
}

describe('At once', () => {
  test('two uses of a link decide once', async () => {
    for (const decisions of [
      ['approve', 'approve'],
      ['approve', 'reject'],
    ] as const) {
      const { gate, link } = await mails.openedWithLink({ required_approvals: 2 })
      const both = await Promise.all(decisions.map((decision) => decide(link, decision)))
      expect(both.map(({ status }) => status).sort()).toEqual([200, 410])
      const { approvals, status } = await committee.gateOf(gate)
      expect(approvals.length + (status === 'rejected' ? 1 : 0)).toBe(1)
      expect(await auditEntries(gate)).toHaveLength(1)
    }
  })

  test('a link and a decision elsewhere decide once, and show the decision that stands', async () => {
    for (let round = 0; round < 4; round++) {
      const { gate, link } = await mails.openedWithLink()
      const [linked, elsewhere] = await Promise.all([decide(link, 'approve'), reject(committee.ada, gate)])
      const { status } = await committee.gateOf(gate)
      expect([linked.status, elsewhere.status, status]).toBeOneOf([
        [200, 409, 'approved'],
        [410, 200, 'rejected'],
      ])
      expect(await auditEntries(gate)).toEqual([`gate.${status}`])
    }
  })

  test('a link and an approval of the same person elsewhere approve once', async () => {
    const { gate, link } = await mails.openedWithLink({ required_approvals: 2 })
    const [linked, elsewhere] = await Promise.all([decide(link, 'approve'), approve(committee.grace, gate)])
    expect([linked.status, elsewhere.status].sort()).toEqual([200, 409])
    expect((await committee.gateOf(gate)).approvals).toHaveLength(1)
  })
})

describe('The link of someone', () => {
  /** An admin of the organization, with a link. */
  async function admin(name: string): Promise<{ person: Actor; gate: Gate; link: string }> {
    const person = await committee.box.user(name)
    await committee.box.join(person, committee.site, 'admin')
    const gate = await committee.opened()
    return { person, gate, link: await mails.linkOf(gate, person) }
  }

  /** Expects that the link is like one that never existed. */
  async function expectUnknown(link: string, gate: Gate): Promise<void> {
    const unknown = `/decide?token=${gate.id}.${'x'.repeat(43)}`
    for (const visit of [(path: string) => visitor.open(path), (path: string) => decide(path, 'approve')]) {
      const [shown, expected] = [await visit(link), await visit(unknown)]
      expect([shown.status, shown.text]).toEqual([410, expected.text])
    }
    expect((await committee.gateOf(gate)).status).toBe('pending')
  }

  /** Expects that the link says that its recipient has lost access, and nothing about the gate. */
  async function expectRefused(link: string, gate: Gate): Promise<void> {
    for (const { status, text } of [await visitor.open(link), await decide(link, 'approve')]) {
      expect([status, text.includes('you no longer have access to this gate'), text.includes(gate.name)]).toEqual([
        403,
        true,
        false,
      ])
    }
    expect((await committee.gateOf(gate)).status).toBe('pending')
  }

  test('who left the organization, or was removed from the workspace, decides nothing and says why', async () => {
    const { person, gate, link } = await admin('Leaver')
    await committee.ada.delete(`/api/v1/organizations/${committee.site.organization.id}/members/${person.id}`)
    await expectRefused(link, gate)
    // Joining again does not revive it.
    await committee.box.join(person, committee.site, 'admin')
    expect([(await visitor.open(link)).status, (await decide(link, 'approve')).status]).toEqual([410, 410])
    expect((await committee.gateOf(gate)).status).toBe('pending')

    const demoted = await admin('Outsider')
    await committee.ada.put(`/api/v1/organizations/${committee.site.organization.id}/members/${demoted.person.id}`, {
      role: 'member',
    })
    await expectRefused(demoted.link, demoted.gate)
  })

  test('who deleted their account is deleted with it', async () => {
    const { person, gate, link } = await admin('Deleted')
    expect((await person.request('DELETE', '/api/v1/users/me', { current_password: PASSWORD })).status).toBe(204)
    expect(await mails.rowsOf(gate, person)).toEqual([])
    await expectUnknown(link, gate)
  })

  test('who has another address is void: it was mailed to the old one', async () => {
    const { person, gate, link } = await admin('Mover')
    const email = `moved-${person.email}`
    await person.put('/api/v1/users/me', { email, current_password: PASSWORD })
    const { box } = committee
    const token = await (await Mailbox.open()).token(box, email, 'verify-email')
    const moved = await box.request('POST', '/api/v1/auth/verify-email', { token })
    expect([moved.status, moved.body.email]).toEqual([200, email])
    await expectUnknown(link, gate)
  })

  test('in a deleted organization is deleted with its gate', async () => {
    const { box, ada } = committee
    const site = await box.site(ada, 'Doomed')
    const gate = await committee.opened({}, site.project)
    const link = await mails.linkOf(gate, ada)
    await ada.delete(`/api/v1/organizations/${site.organization.id}`)
    expect((await decide(link, 'approve')).status).toBe(410)
    await box.until('the gate is purged', async () => (await box.sql`select from gates where id = ${gate.id}`).length === 0)
    expect(await mails.rowsOf(gate)).toEqual([])
    expect((await visitor.open(link)).status).toBe(410)
  })
})
