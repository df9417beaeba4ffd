/** The gate policy of a workspace: as facts, and as a form. */
import { WAYS, type Way } from '../../core/gates.ts'
import { Checkbox, Checkboxes } from '../pages/components/checkboxes.tsx'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { Facts } from '../pages/components/structure.tsx'
import type { GatePolicy } from './policy-fields.ts'

const OPTION_LABELS: Record<Way, string> = { api: 'API', app: 'App', slack: 'Slack', mail: 'Mail' }

const UNITS: [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** A duration in its largest whole unit, such as "36 hours". */
function durationOf(seconds: number): string {
  const [name, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1]
  const count = seconds / length
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`
}

export function PolicyFacts({ of }: { of: GatePolicy }) {
  return (
    <Facts
      of={[
        ['Approvals', `${of.required_approvals} required`],
        ['Self-approval', of.prevent_self_approval ? 'not allowed' : 'allowed'],
        ['Expires', of.expires_in_seconds === null ? 'never' : `after ${durationOf(of.expires_in_seconds)}`],
        ['Decided via', of.decide_via.map((way) => OPTION_LABELS[way]).join(', ')],
      ]}
    />
  )
}

export function PolicyForm({ action, of }: { action: string; of: GatePolicy }) {
  return (
    <div class="card">
      <Form action={action}>
        <Field
          name="required_approvals"
          label="Approvals required"
          type="number"
          required
          value={String(of.required_approvals)}
          hint="1 to 10 people."
        />
        <Checkbox
          name="prevent_self_approval"
          label="People cannot approve gates that they opened, or of executions that they started"
          checked={of.prevent_self_approval}
        />
        <Field
          name="expires_in_seconds"
          label="Expires after (seconds)"
          type="number"
          value={of.expires_in_seconds === null ? '' : String(of.expires_in_seconds)}
          hint="60 to 2,592,000 (30 days). Empty: never. An hour is 3,600, a day 86,400."
        />
        <Checkboxes
          name="decide_via"
          label="Can be decided via"
          options={WAYS.map((way) => [way, OPTION_LABELS[way]])}
          checked={of.decide_via}
        />
        <Submit>Save policy</Submit>
        <p class="hint">Applies to new gates. A gate keeps the policy that it was opened with.</p>
      </Form>
    </div>
  )
}
