/** The actions of a gate's page on overrides and revocations. */
import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { jsonFor } from '../pages/headers.ts'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { getGate } from './gates.ts'
import { OverrideInput, ReviewInput, RevocationInput } from './outcome-schema.ts'
import { overrideGate, reviewOverride } from './overrides.ts'
import { gatePage } from './page.tsx'
import { getDecisionOptions, proveDecision } from './proofs.ts'
import { cancelGate, revokeGate, waitForCancellations } from './withdrawals.ts'
import { revokedText } from './words.ts'

const member = { gate: 'member' } as const

const organizationAdmin = { gate: 'organization admin' } as const

const override = actionOn(gatePage, '/override', organizationAdmin, OverrideInput, async ({ caller, gate, change }, input) => {
  const proof = await proveDecision(sql, caller, gate, { decision: 'override' }, 'app', input.assertion)
  await change((tx) => overrideGate(tx, caller, gate, input, proof))
  return { notice: 'You overrode this gate: it is approved. Another owner or admin of the organization has to review it.' }
})

const challenge = actionOn(gatePage, '/override/challenge', organizationAdmin, OverrideInput, async ({ caller, gate }) =>
  jsonFor(await getDecisionOptions(sql, caller, gate, { decision: 'override' }, 'app')),
)

const review = actionOn(gatePage, '/review', organizationAdmin, ReviewInput, async ({ caller, gate, change }, input) => {
  await change((tx) => reviewOverride(tx, caller, gate, input))
  return { notice: 'Your review was recorded.' }
})

const revoke = actionOn(gatePage, '/revoke', member, RevocationInput, async ({ request, caller, gate, change }, input) => {
  const revoked = await change((tx) => revokeGate(tx, caller, gate, input))
  await waitForCancellations(request, gate)
  return { notice: revokedText(revoked) }
})

const cancelPage = page('/app/gates/:gate_id/cancel', { gate: 'member' }, async ({ gate }) => {
  const { id, name, execution_id } = await getGate(sql, gate)
  return {
    title: 'Withdraw the gate',
    crumbs: [{ href: `/app/gates/${id}`, text: name }],
    main: (
      <div class="card">
        <p>
          It cannot be decided afterwards.{' '}
          {execution_id !== null && 'Its execution runs again, unless it waits for another gate.'}
        </p>
        <Form action={`/app/gates/${id}/cancel`}>
          <div class="buttons">
            <Submit kind="danger">Withdraw</Submit>
            <a href={`/app/gates/${id}`}>Leave it open</a>
          </div>
        </Form>
      </div>
    ),
  }
})

const cancel = actionOn(cancelPage, '', member, Nothing, async ({ caller, gate, change }) => {
  await change((tx) => cancelGate(tx, caller, gate))
  return { to: `/app/gates/${gate.id}`, notice: 'The gate was withdrawn, and needs no decision any more.' }
})

export const gateOutcomePages = pageRoutes('gate-outcome-pages', override, challenge, review, revoke, cancelPage, cancel)
