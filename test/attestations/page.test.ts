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

test('the keys of the organization are listed for its members, and rotated by its owner', async () => {
  const { box, site, committee } = approvals
  const fresh = await box.site(approvals.ada, 'Fresh')
  const owner = await PageClient.signedIn(box, approvals.ada)
  const pathOf = ({ organization }: typeof site) => `/app/organizations/${organization.id}/signing-keys`
  const first = await owner.press(await owner.open(pathOf(fresh)), 'Make the first key')
  expect(first.text).toMatch(/The key [0-9a-f]{12}… signs now\./)

  await approvals.attestation(await approvals.approved())
  const { document } = await owner.open(pathOf(site))
  expect(document.querySelector('button[data-confirm^="Rotate the key?"]')).not.toBeNull()
  expect((await owner.press(await owner.open(pathOf(site)), 'Rotate the key')).text).toContain('signs now.')
  const keys = await approvals.keys()
  const shown = await reader.open(pathOf(site))
  const rows = [...shown.document.querySelectorAll('ul[aria-label="Signing keys"] > li')].map((row) => row.textContent)
  expect(rows).toHaveLength(keys.length)
  for (const [index, { key_id, retired_at }] of keys.entries()) {
    expect(rows[index]).toContain(key_id)
    expect(rows[index]).toContain(retired_at === null ? 'signs' : 'retired')
  }
  expect(shown.document.querySelector('pre')?.textContent).toBe(keys[0].public_key_pem)
  expect(shown.text).toContain('The owner can rotate the key.')
  for (const by of [committee.member, committee.grace])
    expect((await (await PageClient.signedIn(box, by)).post(`${pathOf(site)}/rotate`)).status).toBe(403)
  expect((await reader.open(pathOf(fresh))).status).toBe(404)
  expect(await approvals.keys()).toEqual(keys)
})

test('the audit log shows the number and the hash of each entry', async () => {
  const gate = await approvals.approved()
  await approvals.attestation(gate)
  const [entry] = await approvals.entriesOf('gate.approved', gate.id)
  const admin = await PageClient.signedIn(approvals.box, approvals.ada)
  const { document } = await admin.open(`/app/organizations/${gate.organization_id}/audit-log?action=gate.approved`)
  const seal = document.querySelector(`code[title="${entry.hash}"]`)
  expect(seal?.textContent).toBe(entry.hash.slice(0, 12))
  expect(seal?.closest('p')?.textContent).toContain(String(entry.seq))
})
