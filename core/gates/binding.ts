/** The hash that binds an approval to what a gate asks for. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Gate } from './gates.ts'

/** The hash of what a gate asks for: of all that an approver should have seen. */
export function bindingOf(
  gate: Pick<Gate, 'id' | 'project_id' | 'environment' | 'subject' | 'evidence' | 'rules' | 'fields'>,
): string {
  const { id: gate_id, project_id, environment, subject, evidence, rules, fields } = gate
  const form = canonicalize({ gate_id, project_id, environment, subject, evidence, rules, fields }) ?? ''
  return createHash('sha256').update(form).digest('hex')
}
