/** The actions of a gate's page on overrides and revocations. */
import { action, pageRoutes } from '../pages/page.tsx'
import { OverrideInput, ReviewInput, RevocationInput } from './outcome-schema.ts'
import { overrideGate, reviewOverride } from './overrides.ts'
import { gatePage } from './page.tsx'
import { revokeGate, waitForCancellations } from './revocations.ts'

const override = action(
  '/app/gates/:gate_id/override',
  { gate: 'organization admin' },
  { on: gatePage, body: OverrideInput },
  async ({ caller, gate, change }, input) => {
    await change((tx) => overrideGate(tx, caller, gate, input))
    return { notice: 'You overrode this gate: it is approved. Another owner or admin of the organization has to review it.' }
  },
)

const review = action(
  '/app/gates/:gate_id/review',
  { gate: 'organization admin' },
  { on: gatePage, body: ReviewInput },
  async ({ caller, gate, change }, input) => {
    await change((tx) => reviewOverride(tx, caller, gate, input))
    return { notice: 'Your review was recorded.' }
  },
)

const revoke = action(
  '/app/gates/:gate_id/revoke',
  { gate: 'member' },
  { on: gatePage, body: RevocationInput },
  async ({ request, caller, gate, change }, input) => {
    await change((tx) => revokeGate(tx, caller, gate, input))
    await waitForCancellations(request, gate)
    return { notice: 'You revoked the approval.' }
  },
)

export const gateOutcomePages = pageRoutes('gate-outcome-pages', override, review, revoke)
