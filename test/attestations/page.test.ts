/** The page of an attestation, and where the page of a gate and the audit log lead to what was signed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { Approvals, gitSubject, newCommit } from './support.ts'

let approvals: Approvals
let reader: PageClient

beforeAll(async () => {
  approvals = await Approvals.begin()
  reader = await PageClient.signedIn(approvals.box, approvals.committee.member)
})
afterAll(() => approvals.close())

test('the page of an approved gate leads to its attestation, with approvals, key and envelope', async () => {
  const commit = newCommit()
  const gate = await approvals.open({ subject: gitSubject(commit, { version: '<b>v1</b>' }) })
  await approvals.approve(gate)
  const path = `/app/gates/${gate.id}/attestation`
  const { document } = await reader.open(`/app/gates/${gate.id}`)
  expect(document.querySelector(`a[href="${path}"]`)?.textContent).toBe('signed proof of the approval')
  const envelope = await approvals.attestation(gate)
  const page = await reader.open(path)
  const [key] = await approvals.keys()
  const [entry] = await approvals.entriesOf('gate.approved', gate.id)
  const { textContent } = page.document.body
  for (const text of [
    commit,
    '<b>v1</b>',
    'Ada approved through the API',
    'SIGNALBOX_APPROVALS_1',
    key.key_id,
    entry.hash,
    'current key',
  ])
    expect(textContent).toContain(text)
  const [publicKey, shown] = [...page.document.querySelectorAll('pre')].map((pre) => pre.textContent)
  expect(publicKey).toBe(key.public_key_pem)
  expect(JSON.parse(shown ?? '')).toEqual(envelope)
  expect(page.document.querySelector('a[href="/docs/verify"]')).not.toBeNull()

  await approvals.rotate()
  await approvals.ada.make(`/api/v1/gates/${gate.id}/revoke`, { reason: 'Wrong commit.' })
  const later = (await reader.open(path)).document.body.textContent
  expect(later).toContain('retired key')
  expect(later).toContain('The approval was revoked. The attestation stays valid')
})

test('it says why there is no attestation', async () => {
  const { ada, committee } = approvals
  const pending = await approvals.open()
  expect((await reader.open(`/app/gates/${pending.id}/attestation`)).text).toContain('Only approved gates have one.')
  expect((await reader.open(`/app/gates/${pending.id}`)).text).not.toContain('signed proof')
  const without = await committee.opened()
  await ada.make(`/api/v1/gates/${without.id}/approve`)
  expect((await reader.open(`/app/gates/${without.id}/attestation`)).text).toContain('This gate has no subject')
})

test('the audit log shows the number and the hash of each entry', async () => {
  const gate = await approvals.approved()
  await approvals.attestation(gate)
  const [entry] = await approvals.entriesOf('gate.approved', gate.id)
  const admin = await PageClient.signedIn(approvals.box, approvals.ada)
  const { document } = await admin.open(`/app/organizations/${gate.organization_id}/audit-log?action=gate.approved`)
  const seal = document.querySelector(`code[title="${entry.hash}"]`)
  expect(seal?.textContent).toBe(entry.hash.slice(0, 12))
  expect(seal?.closest('td')?.textContent).toContain(String(entry.seq))
})
