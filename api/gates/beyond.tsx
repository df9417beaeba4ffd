/** What a gate's page has in addition to the decision: overrides and their review, revocations, and the forms for them. */
import type { Gate, InFlight } from '../../core/gates/gates.ts'
import type { ShownResource } from '../pages/access.ts'
import { Folded } from '../pages/components/folded.tsx'
import { Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { PasskeyField } from '../pages/components/proof-fields.tsx'
import { Facts, Section } from '../pages/components/structure.tsx'
import { Prose, State, Time } from '../pages/components/text.tsx'
import type { Caller } from '../plugins/request-context.ts'
import { hasAtLeast } from '../roles.ts'
import type { GateContext } from './context.ts'
import { mayRevoke } from './withdrawals.ts'
import { isOpen } from './words.ts'

interface BeyondProps {
  gate: Gate
  context: GateContext
  reader: Pick<Caller, 'id'>
  /** Those of the reader. */
  roles: ShownResource<'gate'>
}

const nameOf = ({ approvers }: GateContext, id: string | null) => approvers.get(id ?? '')

const isOrganizationAdmin = ({ organization_role }: ShownResource<'gate'>): boolean => hasAtLeast(organization_role, 'admin')

function OverrideForm({ gate }: Pick<BeyondProps, 'gate'>) {
  const action = `/app/gates/${gate.id}/override`
  return (
    <section id="override">
      <Folded action={action} title="Override the gate…">
        <p>
          For emergencies. An override approves this gate regardless of what it still requires, and triggers what an approval
          triggers. Everyone who could have approved it is notified, and another owner or admin of the organization has to review
          it.
        </p>
        <Form action={action}>
          <TextArea name="reason" label="Reason" maxLength={10_000} hint="Why it cannot wait." required />
          <Field name="incident_url" label="Link to the incident" type="url" maxLength={2048} />
          {gate.rules.require_passkey && <PasskeyField />}
          <Submit
            kind="danger"
            passkey={gate.rules.require_passkey ? `/app/gates/${gate.id}/override/challenge` : undefined}
            confirm={`Approve the gate ${gate.name} although its requirements are not met?`}
          >
            Override
          </Submit>
        </Form>
      </Folded>
    </section>
  )
}

const ReviewForm = ({ gate }: Pick<BeyondProps, 'gate'>) => (
  <Form action={`/app/gates/${gate.id}/review`}>
    <TextArea name="comment" label="Comment" maxLength={10_000} hint="Everyone who sees the gate can read it." />
    <Submit>Record my review</Submit>
  </Form>
)

function Review({ gate, context, reader, roles }: BeyondProps) {
  if (gate.reviewed_at !== null) {
    return (
      <>
        <p>
          <strong>{nameOf(context, gate.reviewed_by)}</strong> reviewed the override, <Time at={gate.reviewed_at} exact />.
        </p>
        {gate.review_comment !== null && <Prose>{gate.review_comment}</Prose>}
      </>
    )
  }
  if (gate.decided_by === reader.id)
    return <p>You overrode this gate. Another owner or admin of the organization has to review it.</p>
  return isOrganizationAdmin(roles) ? (
    <ReviewForm gate={gate} />
  ) : (
    <p>The override has not been reviewed. An owner or admin of the organization has to.</p>
  )
}

function Override(props: BeyondProps) {
  const { incident_url, override_proof, reviewed_at } = props.gate
  return (
    <Section
      title="Override"
      live="override"
      aside={<State of={reviewed_at === null ? 'pending' : 'done'} text={reviewed_at === null ? 'not reviewed' : 'reviewed'} />}
    >
      <div class="card">
        <Facts
          of={[
            ['Incident', incident_url === null ? 'none was named' : <WebLink href={incident_url} />],
            ['Confirmed with', override_proof && 'a passkey'],
          ]}
        />
        <Review {...props} />
      </div>
    </Section>
  )
}

const Revocation = ({ gate, context }: Pick<BeyondProps, 'gate' | 'context'>) => (
  <Section title="Revoked" live="revocation">
    <div class="card failed">
      <p>
        <strong>{nameOf(context, gate.revoked_by)}</strong> revoked the approval, <Time at={gate.revoked_at ?? ''} exact />.
        Nothing more is sent because of it.
      </p>
      <MayArrive dispatches={gate.revoked_in_flight ?? []} />
      {gate.revocation_reason !== null && <Prose>{gate.revocation_reason}</Prose>}
    </div>
  </Section>
)

function RevocationForm({ gate }: Pick<BeyondProps, 'gate'>) {
  const action = `/app/gates/${gate.id}/revoke`
  return (
    <section id="revocation">
      <Folded action={action} title="Revoke the approval…">
        <p>Nothing more is sent because of this approval, except what is in flight. What was deployed stays deployed.</p>
        <Form action={action}>
          <TextArea name="reason" label="Reason" maxLength={10_000} required />
          <Submit kind="danger" confirm="Revoke this approval? It cannot be given again.">
            Revoke
          </Submit>
        </Form>
      </Folded>
    </section>
  )
}

/** The dispatches of a revoked approval that may still arrive. */
function MayArrive({ dispatches }: { dispatches: InFlight[] }) {
  if (dispatches.length === 0) return null
  return (
    <>
      <p>These dispatches were in flight, or about to be sent. They may still arrive:</p>
      <ul>
        {dispatches.map(({ id, hook_name }) => (
          <li>
            <a href={`/app/dispatches/${id}`}>{hook_name}</a> <code>{id}</code>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The outcome of an approval, in addition to the decision. */
export const Outcomes = (props: BeyondProps) => (
  <>
    {props.gate.revoked_at !== null && <Revocation {...props} />}
    {props.gate.decided_via === 'override' && <Override {...props} />}
  </>
)

/** What else can be done about a gate. A part without content stays in the page, so that it can appear. */
export function Actions({ gate, context, reader, roles }: BeyondProps) {
  const open = isOpen(gate, context.now)
  const isRevocable = gate.status === 'approved' && gate.revoked_at === null && mayRevoke(gate, roles.role, reader)
  return (
    <>
      {open && isOrganizationAdmin(roles) && <OverrideForm gate={gate} />}
      {isRevocable && <RevocationForm gate={gate} />}
      <p id="cancellation" data-live class="buttons">
        {open && (
          <a class="button" href={`/app/gates/${gate.id}/cancel`}>
            Withdraw the gate…
          </a>
        )}
      </p>
    </>
  )
}
