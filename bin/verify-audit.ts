/**
 * `bun run verify-audit`: checks an export of the audit log against attestations that someone kept. A person who rewrites the log also has to
 * rewrite its chain of hashes, which then differs from the hash in each attestation.
 */
import { parseArgs } from 'node:util'
import { answerHelp, Failure } from './support/command.ts'
import { checkAttestations, checkChain, readAttestations, readEntries, readKeys } from './verify-audit/check.ts'

const USAGE = `npx --yes bun run verify-audit EXPORT [--keys KEYS] ATTESTATION…

Checks an export of the whole audit log (format ndjson, without filters) against attestations that you kept.

  EXPORT       the export: GET /api/v1/organizations/{org_id}/audit-logs/export?format=ndjson
  ATTESTATION  files with an attestation each (GET /api/v1/gates/{gate_id}/attestation), or folders of them
  --keys       a file with the signing keys that you kept (GET /api/v1/organizations/{org_id}/signing-keys): the signatures of the
               attestations are verified as well

Exits with 0 if everything fits, and with 1 if not.`

answerHelp(USAGE)

function readArguments(): { exported: string; attestations: string[]; keys: string | undefined } {
  try {
    const { values, positionals } = parseArgs({ options: { keys: { type: 'string' } }, allowPositionals: true })
    const [exported, ...attestations] = positionals
    if (exported === undefined) throw new Failure(`Name the file with the export.\n\n${USAGE}`)
    return { exported, attestations, keys: values.keys }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${(error as Error).message}\n\n${USAGE}`)
  }
}

try {
  const { exported, attestations, keys } = readArguments()
  const entries = await readEntries(exported)
  const { sealed, unsealed, head } = checkChain(entries)
  console.log(`The chain is unbroken: ${sealed} entries, the last with the hash ${head.hash}.`)
  if (unsealed > 0) console.log(`Entries at the end that are not sealed yet, and were not checked: ${unsealed}.`)
  const kept = await readAttestations(attestations)
  checkAttestations(entries, kept, keys === undefined ? null : await readKeys(keys))
  console.log(
    kept.length === 0
      ? 'No attestation was given: a person who rewrote the log could have rewritten the whole chain.'
      : `It fits all ${kept.length} attestations: no entry up to ${Math.max(...kept.map(({ seq }) => seq))} was changed since they were signed.`,
  )
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
