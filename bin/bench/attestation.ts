/** Prints the CPU time of a statement and its signature, in milliseconds. A process of its own, which has the settings. */
import { generateKeyPairSync } from 'node:crypto'
import { signedEnvelope, statementOf } from '../../core/attestations.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const id = crypto.randomUUID()
const at = '2026-11-21T09:30:00.000Z'
const subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'a'.repeat(64) }, version: 'v1.5.0' }
const attested_approvals = Array.from({ length: 5 }, () => ({ user_id: id, via: 'app' as const, proof: 'passkey', at }))
const seal = { seq: 1, hash: 'b'.repeat(64) }
const rules = { environment: 'production', binding: 'c'.repeat(64), prevent_self_approval: true }
const gate = { id, project_id: id, subject, decided_via: 'app' as const, decided_at: at, attested_approvals, seal, ...rules }
const COUNT = 2_000
const sign = () => signedEnvelope(statementOf(gate, 'https://signalbox.example.com'), 'd'.repeat(64), privateKey)
for (let count = 0; count < COUNT; count++) sign()
const before = process.cpuUsage()
for (let count = 0; count < COUNT; count++) sign()
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000 / COUNT)
process.exit()
