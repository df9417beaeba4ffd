/** attest_gates: signs the attestations of approved gates, whose approval is sealed in the audit log. */
import {
  type AttestedGate,
  attestedColumns,
  digestText,
  joinSeal,
  signedEnvelope,
  statementOf,
} from '../../core/gates/attestations.ts'
import { config } from '../../core/platform/config.ts'
import { transaction } from '../../core/platform/database.ts'
import { currentKey, privateKeyOf } from '../../core/security/signing-keys.ts'
import type { Json, Tx } from '../../sql/index.ts'

const findAttestable = (tx: Tx, organization_id: string, gate_ids: string[]) => tx<AttestedGate[]>`
  select
    gates.id, gates.project_id, gates.environment, gates.subject, gates.binding, gates.prevent_self_approval,
    gates.decided_via, gates.decided_at, ${attestedColumns}
  from gates
  ${joinSeal}
  where gates.id = any(${gate_ids}::uuid[])
    and gates.organization_id = ${organization_id}
    and gates.status = 'approved'
    and gates.subject is not null
    and seal.seq is not null
    and not exists (select from attestations where gate_id = gates.id and organization_id = ${organization_id})
  order by gates.id
`

/** Once each. @throws UnreadableSecret if no key of SECRETS_KEY decrypts the signing key; the job is then retried */
export function attestGates({ organization_id, gate_ids }: { organization_id: string; gate_ids: string[] }): Promise<void> {
  return transaction(async (tx) => {
    const gates = await findAttestable(tx, organization_id, gate_ids)
    if (gates.length === 0) return
    const key = await currentKey(tx, organization_id)
    const privateKey = await privateKeyOf(key)
    const rows = gates.map((gate) => ({
      gate_id: gate.id,
      project_id: gate.project_id,
      environment: gate.environment,
      digest: digestText(gate.subject.digest),
      envelope: signedEnvelope(statementOf(gate, config.PUBLIC_URL), key.key_id, privateKey),
    }))
    await tx`
      insert into attestations (gate_id, organization_id, project_id, environment, digest, key_id, envelope)
      select gate_id, ${organization_id}::uuid, project_id, environment, digest, ${key.key_id}, envelope
      from jsonb_to_recordset(${tx.json(rows as unknown as Json)}) as signed (
        gate_id uuid, project_id uuid, environment text, digest text, envelope jsonb
      )
      on conflict (gate_id, organization_id) do nothing
    `
  })
}
