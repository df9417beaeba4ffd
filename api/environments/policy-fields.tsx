/** The form of a policy. */
import { WAYS } from '../../core/gates.ts'
import { FreezeFields } from '../freezes/form.tsx'
import { type FreezeRow, rowOf } from '../freezes/rows.ts'
import { WAY_LABELS } from '../gates/policy-form.tsx'
import { Checkbox, Checkboxes } from '../pages/components/checkboxes.tsx'
import { Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { wholeDurationText } from '../pages/components/measures.tsx'
import type { PolicyRules } from './policies.ts'
import { APPROVER_ROWS } from './policy-form.ts'
import { AS_WORKSPACE, freezesText, LABELS } from './policy-words.tsx'

const HOURS = [1, 4, 8, 24, 48, 72, 168, 336, 720]

function expiryOptions(current: number | null): [string, string][] {
  const seconds = new Set([...HOURS.map((hours) => hours * 3600), ...(current === null ? [] : [current])])
  const sorted = [...seconds].sort((one, other) => one - other)
  return [['', AS_WORKSPACE], ...sorted.map((each): [string, string] => [String(each), `After ${wholeDurationText(each)}`])]
}

const textOf = (value: number | boolean | null | undefined): string => (value == null ? '' : String(value))

/**
 * @param of what is stored
 * @param groups ids and names
 * @param rows freezes that were typed; otherwise those that are stored
 * @param isFocused whether the last row was just added
 */
export function PolicyForm({
  path,
  environment,
  of,
  groups,
  rows = of?.freezes.map(rowOf) ?? [],
  isFocused = false,
}: {
  path: string
  environment: string
  of: (PolicyRules & { updated_at: string }) | undefined
  groups: [id: string, name: string][]
  rows?: FreezeRow[]
  isFocused?: boolean
}) {
  return (
    <div class="card">
      <Form action={path} others={[`${path}/save`]} updated_at={of?.updated_at ?? ''}>
        {/* Browsers press the first button when someone presses Enter in a field. */}
        <button type="submit" class="unseen" tabindex={-1}>
          Review
        </button>
        <input type="hidden" name="environment" value={environment} />
        <Field
          name="required_approvals"
          label={LABELS.required_approvals}
          type="number"
          value={textOf(of?.required_approvals)}
          hint="1 to 10 people; empty: as in the workspace."
        />
        <fieldset class="group">
          <legend>{LABELS.approvers}</legend>
          <p class="hint">Their members approve, each person for one group. Without any, admins of the workspace do.</p>
          {APPROVER_ROWS.map((row) => (
            <div class="pair">
              <Select
                name={`approver_${row}`}
                label={`Group ${row}`}
                options={[['', 'None'], ...groups]}
                value={of?.approvers[row - 1]?.group_id ?? ''}
              />
              <Field
                name={`count_${row}`}
                label={`Members of group ${row}`}
                type="number"
                value={String(of?.approvers[row - 1]?.count ?? 1)}
              />
            </div>
          ))}
        </fieldset>
        <Select
          name="prevent_self_approval"
          label={LABELS.prevent_self_approval}
          options={[
            ['', AS_WORKSPACE],
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
          value={textOf(of?.prevent_self_approval)}
        />
        <Select
          name="expires_in_seconds"
          label={LABELS.expires_in_seconds}
          options={expiryOptions(of?.expires_in_seconds ?? null)}
          value={textOf(of?.expires_in_seconds)}
        />
        <Checkboxes
          name="decide_via"
          label={`${LABELS.decide_via} (none: as in the workspace)`}
          options={WAYS.map((way) => [way, WAY_LABELS[way]])}
          checked={of?.decide_via ?? []}
        />
        <Checkbox name="require_subject" label={LABELS.require_subject} checked={of?.require_subject ?? false} />
        <Checkbox name="require_checks" label={LABELS.require_checks} checked={of?.require_checks ?? false} />
        <Checkbox name="require_passkey" label={LABELS.require_passkey} checked={of?.require_passkey ?? false} />
        <Checkbox name="gate_required" label={LABELS.gate_required} checked={of?.gate_required ?? false} />
        <FreezeFields rows={rows} stored={freezesText(of?.freezes ?? [])} path={path} isFocused={isFocused} />
        <Submit>Review</Submit>
        <p class="hint">Nothing is saved yet: the next page shows what the change affects.</p>
      </Form>
    </div>
  )
}
