/** The gate policy of a workspace: as facts, and as a form. */
import { WAYS, type Way } from '../../core/gates/gates.ts'
import { Checkbox, Checkboxes } from '../pages/components/checkboxes.tsx'
import { Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { wholeDurationText } from '../pages/components/measures.tsx'
import { Facts } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import type { GatePolicy } from './policy.ts'

export const WAY_LABELS: Record<Way, string> = { api: 'API', app: 'App', slack: 'Slack', mail: 'Mail' }

/** @param admins how many people can approve gates */
export function PolicyFacts({ of, admins }: { of: GatePolicy; admins: number }) {
  const unmet = unmetPolicy(of, admins)
  return (
    <>
      {unmet && <Notice tone="warn">{unmet}</Notice>}
      <Facts
        of={[
          ['Approvals', `${of.required_approvals} required`],
          ['Self-approval', of.prevent_self_approval ? 'not allowed' : 'allowed'],
          ['Expires', of.expires_in_seconds === null ? 'never' : `after ${wholeDurationText(of.expires_in_seconds)}`],
          ['Decided via', of.decide_via.map((way) => WAY_LABELS[way]).join(', ')],
        ]}
      />
    </>
  )
}

const [HOUR, DAY] = [3_600, 86_400]
const EXPIRIES = [HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY]

/** Times to choose from, and the current one, which the API may have set to any other. */
export function expiryOptions(current: number | null, none = 'Never'): [value: string, text: string][] {
  const all = new Set([...EXPIRIES, ...(current === null ? [] : [current])])
  const sorted = [...all].sort((one, other) => one - other)
  return [['', none], ...sorted.map((each): [string, string] => [String(each), `After ${wholeDurationText(each)}`])]
}

/** What a policy means for the people who can approve, if it cannot be met; null if it can. */
function unmetPolicy({ required_approvals, prevent_self_approval }: GatePolicy, admins: number): string | null {
  const people = admins === 1 ? 'Only 1 person' : `Only ${admins} people`
  const remedy = 'Make more people admins of the workspace, or require fewer approvals.'
  if (admins < required_approvals)
    return `${people} can approve gates here, and this policy requires ${required_approvals}: no gate can be approved. ${remedy}`
  if (prevent_self_approval && admins === required_approvals)
    return `${people} can approve gates here, and all of them have to: a gate that one of them asks for cannot be approved. ${remedy}`
  return null
}

export const PolicyForm = ({ action, of }: { action: string; of: GatePolicy }) => (
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
      <Select
        name="expires_in_seconds"
        label="Expires"
        required
        options={expiryOptions(of.expires_in_seconds)}
        value={of.expires_in_seconds === null ? '' : String(of.expires_in_seconds)}
      />
      <Checkboxes
        name="decide_via"
        label="Can be decided via"
        options={WAYS.map((way) => [way, WAY_LABELS[way]])}
        checked={of.decide_via}
      />
      <Submit>Save policy</Submit>
      <p class="hint">Applies to new gates. A gate keeps the policy that it was opened with.</p>
    </Form>
  </div>
)
