/** `bun run verify-audit`: an export of the audit log, as it is and rewritten, next to attestations that someone kept. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GENESIS, sealEntry } from '../../core/security/audit-chain.ts'
import { sealed } from '../audit-logs/support.ts'
import { letGatesChange } from '../support/fixed-gates.ts'
import type { Answer } from '../support/signalbox.ts'
import { Approvals } from './support.ts'

type Body = Answer['body']

const root = join(import.meta.dir, '../..')

let approvals: Approvals
let folder: string
/** The export, newest first. */
let entries: Body[]
let gates: Body[]

const file = (name: string): string => join(folder, name)
const write = (name: string, content: unknown) => Bun.write(file(name), JSON.stringify(content))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-audit-'))
  approvals = await Approvals.begin()
  const { ada, site } = approvals
  gates = [await approvals.approved({ name: 'Ünïcode 𝄞' }), await approvals.approved()]
  for (const [index, gate] of gates.entries()) await write(`kept/${index}.json`, await approvals.attestation(gate))
  await approvals.approved()
  await sealed(approvals.box)
  await write('keys.json', await approvals.keys())
  const path = `/api/v1/organizations/${site.organization.id}/audit-logs/export?format=ndjson`
  const text: string = (await ada.get(path)).body
  await Bun.write(file('log.ndjson'), text)
  entries = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
})
afterAll(async () => {
  await approvals.close()
  await rm(folder, { recursive: true })
})

async function run(...args: string[]): Promise<[code: number, printed: string]> {
  const child = Bun.spawn([process.execPath, 'bin/verify-audit.ts', ...args], {
    cwd: root,
    // Without settings, as where the attestations are kept.
    env: { PATH: process.env.PATH ?? '' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return [code, (said + complaint).trim()]
}

/** The judgement on a log that someone has changed. */
async function judge(changed: Body[], ...args: string[]): Promise<[code: number, printed: string]> {
  await Bun.write(file('changed.ndjson'), changed.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return run(file('changed.ndjson'), '--keys', file('keys.json'), file('kept'), ...args)
}

/** The same entries with numbers and hashes that fit, as someone computes them who rewrites the whole chain. */
function resealed(changed: Body[]): Body[] {
  let head = GENESIS
  return changed
    .toReversed()
    .map((entry) => {
      head = sealEntry(head, entry)
      return { ...entry, ...head }
    })
    .toReversed()
}

const seqOf = (gate: Body): number =>
  entries.find(({ action, resource_id }) => action === 'gate.approved' && resource_id === gate.id).seq

const without = (seq: number) => entries.filter((entry) => entry.seq !== seq)
const forged = (seq: number) => entries.map((entry) => (entry.seq === seq ? { ...entry, actor_name: 'Mallory' } : entry))

test('an export fits the attestations that were kept, in files and folders', async () => {
  const [code, printed] = await run(file('log.ndjson'), file('kept/0.json'), '--keys', file('keys.json'), file('kept'))
  expect([code, printed]).toEqual([
    0,
    `The chain is unbroken: ${entries.length} entries, the last with the hash ${entries[0].hash}.\nIt fits all 3 attestations: no entry up to ${seqOf(gates[1])} was changed since they were signed.`,
  ])
})

test('without attestations only the chain is checked', async () => {
  const [code, printed] = await run(file('log.ndjson'))
  expect([code, printed]).toEqual([0, expect.stringContaining('No attestation was given')])
})

describe('History that was rewritten is noticed', () => {
  test('where an entry was changed, removed, inserted or moved', async () => {
    const broken = (text: string): [number, string] => [1, expect.stringContaining(text)]
    expect(await judge(forged(2))).toEqual(broken('The chain is broken at entry 2'))
    expect(await judge(without(3))).toEqual(broken('The chain is broken: entry 3 is missing; the next one is 4.'))
    expect(await judge([...entries, entries[0]])).toEqual(broken(`The chain is broken: entry ${entries[0].seq} is there twice.`))
    const swapped = entries.map((entry) => ({ ...entry, seq: entry.seq === 1 ? 2 : entry.seq === 2 ? 1 : entry.seq }))
    expect(await judge(swapped)).toEqual(broken('The chain is broken at entry 1'))
  })

  test('where an entry was inserted without a seal, long before the last one that has one', async () => {
    const inserted = { ...entries[0], id: crypto.randomUUID(), seq: null, hash: null, created_at: '2020-02-02T12:00:00.000Z' }
    expect(await judge([...entries, inserted])).toEqual([
      1,
      expect.stringContaining(`Entry ${inserted.id} of 2020-02-02T12:00:00.000Z has no seal, although later ones have`),
    ])
  })

  test('also if the whole chain was computed anew', async () => {
    const rewritten = expect.stringMatching(/History was rewritten: .*kept\/0\.json names entry \d+ with the hash/)
    for (const changed of [forged(2), without(3)]) expect(await judge(resealed(changed))).toEqual([1, rewritten])
    // A change behind the last attestation that was kept cannot be noticed.
    const later = resealed(forged(entries[0].seq))
    expect((await judge(later))[0]).toBe(0)
  })

  test('and if its end was cut off', async () => {
    const cut = entries.filter(({ seq }) => seq < seqOf(gates[1]))
    const [code, printed] = await judge(cut)
    expect([code, printed]).toEqual([1, expect.stringContaining(`it names entry ${seqOf(gates[1])}, which is missing.`)])
  })
})

test('an attestation that someone else signed, or changed, is refused', async () => {
  const envelope = await Bun.file(file('kept/0.json')).json()
  await write('unsigned.json', {
    ...envelope,
    payload: Buffer.from(`${Buffer.from(envelope.payload, 'base64')} `).toString('base64'),
  })
  expect(await judge(entries, file('unsigned.json'))).toEqual([
    1,
    expect.stringContaining(`${file('unsigned.json')} is not signed by one of the keys.`),
  ])
  await write('none.json', [])
  expect(await run(file('log.ndjson'), '--keys', file('none.json'), file('kept/0.json'))).toEqual([
    1,
    expect.stringContaining('is not signed by one of the keys.'),
  ])
})

test('an attestation of a gate that names the entry of another one is refused', async () => {
  const envelope = await Bun.file(file('kept/0.json')).json()
  const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString())
  statement.predicate.signalbox.gate_id = gates[1].id
  await write('other.json', { ...envelope, payload: Buffer.from(JSON.stringify(statement)).toString('base64') })
  expect(await run(file('log.ndjson'), file('other.json'))).toEqual([
    1,
    expect.stringContaining(`is about the gate ${gates[1].id}, and entry ${seqOf(gates[0])} is gate.approved of ${gates[0].id}.`),
  ])
})

test('entries that are not sealed yet are counted, and not checked', async () => {
  const [code, printed] = await judge([{ ...entries[0], seq: null, hash: null }, ...entries.slice(1)])
  expect([code, printed]).toEqual([0, expect.stringContaining('not sealed yet, and were not checked: 1.')])
})

test('what it cannot read is named', async () => {
  const refusal = async (text: string, ...args: string[]) => {
    const [code, printed] = await run(...args)
    expect([code, printed]).toEqual([1, expect.stringContaining(text)])
  }
  const log = file('log.ndjson')
  await refusal('Name the file with the export.')
  await refusal('cannot be read', file('missing.ndjson'))
  await refusal('is not an export', file('keys.json'))
  await refusal(`${file('nowhere')} does not exist.`, log, file('nowhere'))
  await refusal(`${file('keys.json')} is not an attestation of Signalbox.`, log, file('keys.json'))
  await refusal(`${log} is not JSON.`, log, '--keys', log)
})

test('what has no approval in the log, or one without a seal, must not be deployed', async () => {
  const { box } = approvals
  const [unsealed, unrecorded] = [await approvals.approved(), await approvals.approved()]
  for (const gate of [unsealed, unrecorded]) await approvals.attestation(gate)
  const [entry] = await approvals.entriesOf('gate.approved', unsealed.id)
  await box.sql.begin(async (tx) => {
    await letGatesChange(tx)
    await tx`delete from audit_log_seals where organization_id = ${unsealed.organization_id} and seq = ${entry.seq}`
    await tx`delete from audit_log_entries where action = 'gate.approved' and resource_id = ${unrecorded.id}`
  })
  for (const gate of [unsealed, unrecorded])
    expect(await approvals.verdictOf(gate)).toEqual({
      allowed: false,
      reasons: ['The approval of the gate is missing in the audit log.'],
      gate_id: gate.id,
      attestation: null,
    })
})
