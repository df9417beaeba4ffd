/** What a policy says, in the words of its form. */
import { type Freeze, isRecurring } from '../../core/freezes/held-until.ts'
import { WAYS } from '../../core/gates.ts'
import { minuteText } from '../../core/values/instants-text.ts'
import { WAY_LABELS } from '../gates/policy-form.tsx'
import { wholeDurationText } from '../pages/components/measures.tsx'
import { type Column, Facts, Table } from '../pages/components/structure.tsx'
import type { PolicyRules } from './policies.ts'

export const AS_WORKSPACE = 'As the workspace says'

/** The labels of the fields. */
export const LABELS = {
  required_approvals: 'Approvals required',
  approvers: 'Approving groups',
  prevent_self_approval: 'People cannot approve what they asked for',
  expires_in_seconds: 'Expires',
  decide_via: 'Can be decided via',
  require_subject: 'Gates must name what is deployed',
  require_checks: 'Gates need checks, all of them passed',
  require_passkey: 'Approving needs a passkey',
  gate_required: 'Nothing is deployed without an approved gate',
  freezes: 'Freezes',
} as const
type Field = keyof typeof LABELS

const yesNo = (value: boolean | null): string => (value === null ? AS_WORKSPACE : value ? 'Yes' : 'No')

function freezeText(freeze: Freeze): string {
  const { name } = freeze
  if (!isRecurring(freeze)) return `${name}, ${minuteText(freeze.from)} to ${minuteText(freeze.until)}`
  return `${name}, ${freeze.rrule} for ${wholeDurationText(freeze.duration_seconds)} in ${freeze.time_zone}`
}

export const freezesText = (freezes: Freeze[]): string => freezes.map(freezeText).join('; ') || 'None'

/** @param groups names by id */
function textOf(field: Field, of: PolicyRules, groups: Map<string, string>): string {
  switch (field) {
    case 'required_approvals':
      return of.required_approvals === null ? AS_WORKSPACE : String(of.required_approvals)
    case 'approvers':
      return (
        of.approvers.map(({ group_id, count }) => `${count} of ${groups.get(group_id) ?? 'a group'}`).join(', ') ||
        'None: admins of the workspace approve'
      )
    case 'expires_in_seconds':
      return of.expires_in_seconds === null ? AS_WORKSPACE : `After ${wholeDurationText(of.expires_in_seconds)}`
    case 'decide_via':
      return (
        (of.decide_via &&
          WAYS.filter((way) => of.decide_via?.includes(way))
            .map((way) => WAY_LABELS[way])
            .join(', ')) ??
        AS_WORKSPACE
      )
    case 'freezes':
      return freezesText(of.freezes)
    default:
      return yesNo(of[field])
  }
}

const FIELDS = Object.keys(LABELS) as Field[]

export const PolicyFacts = ({ of, groups }: { of: PolicyRules; groups: Map<string, string> }) => (
  <Facts of={FIELDS.filter((field) => field !== 'freezes').map((field) => [LABELS[field], textOf(field, of, groups)])} />
)

interface Change {
  field: Field
  before: string
  after: string
}

const columns: Column<Change>[] = [
  { head: 'Rule', main: true, cell: ({ field }) => LABELS[field] },
  { head: 'Now', cell: ({ before }) => before },
  { head: 'New', cell: ({ after }) => after },
]

/** What a change of a policy changes. @param changed the names of fields */
export function PolicyChanges({
  changed,
  before,
  after,
  groups,
}: {
  changed: string[]
  before: PolicyRules
  after: PolicyRules
  groups: Map<string, string>
}) {
  const rows = FIELDS.filter((field) => changed.includes(field)).map((field) => ({
    field,
    before: textOf(field, before, groups),
    after: textOf(field, after, groups),
  }))
  return <Table label="Changes" columns={columns} rows={rows} />
}
