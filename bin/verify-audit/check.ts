/** What `bun run verify-audit` checks. */
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AuditRecord, GENESIS, type Head, sealEntry } from '../../core/security/audit-chain.ts'
import { Failure } from '../support/command.ts'

type Entry = AuditRecord & { seq: number | null; hash: string | null }

/** An attestation that someone kept. */
interface Attestation extends Head {
  file: string
  gate_id: string
  signed: Buffer
  signatures: { keyid: string; sig: string }[]
}

async function read(file: string): Promise<string> {
  try {
    return await Bun.file(file).text()
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`${file} is not JSON.`)
  }
}

/** The entries of an export, oldest first: as they were exported, the other way round. */
export async function readEntries(file: string): Promise<Entry[]> {
  const lines = (await read(file)).split('\n').filter((line) => line !== '')
  const entries = lines.map((line, index) => parsed(`Line ${index + 1} of ${file}`, line) as Entry)
  if (entries.some((entry) => entry === null || typeof entry !== 'object' || !('seq' in entry) || !('hash' in entry)))
    throw new Failure(`${file} is not an export in the format ndjson that has the numbers and hashes of entries.`)
  // Those that are not sealed are the newest.
  return entries.sort((one, other) => (one.seq ?? Number.POSITIVE_INFINITY) - (other.seq ?? Number.POSITIVE_INFINITY))
}

/** Workers seal entries within seconds. Longer than any of them is away from one organization alone. */
const SEALED_WITHIN_MS = 3_600_000

/** @throws Failure if an entry without a seal is much older than one that has a seal: it was inserted later, or its seal was removed */
function checkUnsealed(entries: Entry[], sealed: number): void {
  const timeOf = ({ created_at }: Entry): number => Date.parse(created_at)
  const newest = entries.slice(0, sealed).reduce((latest, entry) => Math.max(latest, timeOf(entry)), Number.NEGATIVE_INFINITY)
  const stray = entries.slice(sealed).find((entry) => timeOf(entry) < newest - SEALED_WITHIN_MS)
  if (stray)
    throw new Failure(
      `Entry ${stray.id} of ${stray.created_at} has no seal, although later ones have: it was inserted, or its seal was removed.`,
    )
}

/** @throws Failure if an entry was changed, removed or inserted */
export function checkChain(entries: Entry[]): { sealed: number; unsealed: number; head: Head } {
  let head = GENESIS
  for (const entry of entries) {
    if (entry.seq === null) break
    if (entry.seq !== head.seq + 1) {
      const what = entry.seq === head.seq ? 'is there twice' : `is missing; the next one is ${entry.seq}`
      throw new Failure(
        `The chain is broken: entry ${entry.seq === head.seq ? entry.seq : head.seq + 1} ${what}. Export the whole log, without filters.`,
      )
    }
    head = sealEntry(head, entry)
    if (head.hash !== entry.hash)
      throw new Failure(`The chain is broken at entry ${entry.seq} (${entry.id}): it was changed after it was sealed.`)
  }
  checkUnsealed(entries, head.seq)
  return { sealed: head.seq, unsealed: entries.length - head.seq, head }
}

function keptIn(file: string, text: string): Attestation {
  try {
    const { payloadType, payload, signatures } = JSON.parse(text)
    const body = Buffer.from(payload, 'base64')
    const { gate_id, audit } = JSON.parse(body.toString()).predicate.signalbox
    const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `
    return { file, gate_id, seq: audit.seq, hash: audit.hash, signed: Buffer.concat([Buffer.from(head), body]), signatures }
  } catch {
    throw new Failure(`${file} is not an attestation of Signalbox.`)
  }
}

/** The attestations in files and folders. */
export async function readAttestations(paths: string[]): Promise<Attestation[]> {
  const files = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path).catch(() => null)
      if (found === null) throw new Failure(`${path} does not exist.`)
      return found.isDirectory() ? (await readdir(path)).toSorted().map((name) => join(path, name)) : [path]
    }),
  )
  return Promise.all(files.flat().map(async (file) => keptIn(file, await read(file))))
}

/** Public keys by their ids, which are computed anew. */
export async function readKeys(file: string): Promise<Map<string, KeyObject>> {
  const keys = parsed(file, await read(file))
  try {
    return new Map(
      (keys as { public_key_pem: string }[]).map(({ public_key_pem }) => {
        const key = createPublicKey(public_key_pem)
        return [hash('sha256', key.export({ format: 'der', type: 'spki' }), 'hex'), key]
      }),
    )
  } catch {
    throw new Failure(`${file} is not a list of signing keys.`)
  }
}

function checkSignature({ file, signed, signatures }: Attestation, keys: Map<string, KeyObject>): void {
  const isSigned = signatures.some(({ keyid, sig }) => {
    const key = keys.get(keyid)
    return key !== undefined && verify('sha256', signed, key, Buffer.from(sig, 'base64'))
  })
  if (!isSigned) throw new Failure(`${file} is not signed by one of the keys.`)
}

/**
 * @param entries whose chain is unbroken
 * @param keys null: signatures are not verified
 * @throws Failure if the log differs from what an attestation says about it
 */
export function checkAttestations(entries: Entry[], kept: Attestation[], keys: Map<string, KeyObject> | null): void {
  for (const attestation of kept) {
    const { file, seq, hash, gate_id } = attestation
    if (keys) checkSignature(attestation, keys)
    const entry = entries[seq - 1]
    if (entry?.seq !== seq)
      throw new Failure(`History was rewritten, or this export is older than ${file}: it names entry ${seq}, which is missing.`)
    if (entry.hash !== hash)
      throw new Failure(`History was rewritten: ${file} names entry ${seq} with the hash ${hash}, and it has ${entry.hash}.`)
    if (entry.action !== 'gate.approved' || entry.resource_id !== gate_id)
      throw new Failure(`${file} is about the gate ${gate_id}, and entry ${seq} is ${entry.action} of ${entry.resource_id}.`)
  }
}
