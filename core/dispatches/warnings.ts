/** What speaks against the approval of a pending gate: pages, mails and Slack say it first. */
import { type Evidence, failedText, type Gate } from '../gates/gates.ts'
import { minuteText } from '../values/instants.ts'
import { line, quotedName } from '../values/plain-text.ts'
import type { Circumstances } from './circumstances.ts'
import { frozenUntil, lacksOfPromotion } from './effects.ts'

interface Warnings extends Pick<Circumstances, 'failing' | 'unreviewed'> {
  failed: Evidence['checks']
  /** When freezes end that hold back what the approval sends; null if none does. */
  frozen_until: string | null
  /** Why the subject may not come to the environment yet, as sentences; null if it may. */
  not_promoted: string | null
}

export const failedChecks = ({ evidence }: Pick<Gate, 'evidence'>): Evidence['checks'] =>
  (evidence?.checks ?? []).filter(({ state }) => state === 'failed')

/** @param gate a pending one */
export const warningsOf = (gate: Gate, circumstances: Circumstances): Warnings => ({
  failed: failedChecks(gate),
  frozen_until: frozenUntil(gate, circumstances),
  not_promoted: lacksOfPromotion(gate, circumstances).join(' ') || null,
  failing: circumstances.failing,
  unreviewed: circumstances.unreviewed,
})

/** The same as sentences; null if nothing speaks against it. */
export function warningsText(gate: Gate, circumstances: Circumstances): string | null {
  const { frozen_until, not_promoted, failing, unreviewed } = warningsOf(gate, circumstances)
  const where = gate.environment === null ? null : line(gate.environment, 64)
  const failedVersion = failing?.version ? ` of ${line(failing.version, 120)}` : ''
  const sentences = [
    failedText(gate.evidence?.checks ?? []),
    not_promoted,
    frozen_until && `${where ?? 'An environment of its hooks'} is frozen until ${minuteText(frozen_until)}.`,
    failing && `The last rollout${failedVersion} in ${where} failed on ${minuteText(failing.at)}.`,
    unreviewed && `The override of the gate ${quotedName(unreviewed.name)} for ${where} has not been reviewed.`,
  ]
  return sentences.filter(Boolean).join(' ') || null
}
