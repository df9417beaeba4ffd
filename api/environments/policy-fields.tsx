/** The form of a policy, and what a policy says, in the words of the form. */
import { type Freeze, isRecurring } from '../../core/freezes/held-until.ts'
import { WAYS } from '../../core/gates/gates.ts'
import { minuteText } from '../../core/values/instants.ts'
import { Maybe, Name, Nullable, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import { atRow, FreezeFields, type FreezeRow, freezeOf, rowOf, rowsOf } from '../freezes/form.tsx'
import { Way } from '../gates/policy.ts'
import { WAY_LABELS } from '../gates/policy-form.tsx'
import { Checkbox, Checkboxes } from '../pages/components/checkboxes.tsx'
import { Field, Form, Select, Submit } from '../pages/components/forms.tsx'
import { wholeDurationText } from '../pages/components/measures.tsx'
import { RowTexts } from '../pages/components/rows.tsx'
import { type Column, Facts, Table } from '../pages/components/structure.tsx'
import { atOtherFields, type FieldError } from '../problems.ts'
import type { PolicyRules } from './policies.ts'
import { EnvironmentPolicyInput } from './schema.ts'

const HOURS = [1, 4, 8, 24, 48, 72, 168, 336, 720]

function expiryOptions(current: number | null): [string, string][] {
  const seconds = new Set([...HOURS.map((hours) => hours * 3600), ...(current === null ? [] : [current])])
  const sorted = [...seconds].sort((one, other) => one - other)
  return [['', AS_WORKSPACE], ...sorted.map((each): [string, string] => [String(each), `After ${wholeDurationText(each)}`])]
}

const SOAKS = [600, 3_600, 14_400, 86_400, 259_200, 604_800, 2_592_000]

function soakOptions(current: number): [string, string][] {
  const seconds = new Set([...SOAKS, ...(current === 0 ? [] : [current])])
  const sorted = [...seconds].sort((one, other) => one - other)
  return [['0', 'No time'], ...sorted.map((each): [string, string] => [String(each), wholeDurationText(each)])]
}

const textOf = (value: number | boolean | null | undefined): string => (value == null ? '' : String(value))

interface PolicyFormProps {
  path: string
  environment: string
  of: (PolicyRules & { updated_at: string }) | undefined
  groups: [id: string, name: string][]
  /** The environments from which it can promote. */
  sources: string[]
  /** Freezes that were typed; otherwise those that are stored. */
  rows?: FreezeRow[]
  /** Whether the last row was just added. */
  isFocused?: boolean
}

type Approver = PolicyRules['approvers'][number]

const ApproverRow = ({ row, of, groups }: { row: number; of: Approver | undefined; groups: [string, string][] }) => (
  <div class="pair">
    <Select name={`approver_${row}`} label={`Group ${row}`} options={[['', 'None'], ...groups]} value={of?.group_id ?? ''} />
    <Field name={`count_${row}`} label={`Approvals from group ${row}`} type="number" value={String(of?.count ?? 1)} />
  </div>
)

/** A row for each group, and one more; the others open. */
function ApproverRows({ of, groups }: { of: Approver[]; groups: [string, string][] }) {
  const row = (each: number) => <ApproverRow row={each} of={of[each - 1]} groups={groups} />
  const shown = of.length + 1
  return (
    <>
      {APPROVER_ROWS.slice(0, shown).map(row)}
      {shown < APPROVER_ROWS.length && (
        <details>
          <summary>More groups</summary>
          {APPROVER_ROWS.slice(shown).map(row)}
        </details>
      )}
    </>
  )
}

export const PolicyForm = ({ path, environment, of, groups, sources, rows, isFocused = false }: PolicyFormProps) => (
  <Form card action={path} others={[`${path}/save`]} updated_at={of?.updated_at ?? ''}>
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
      hint="1 to 10 people. Empty: same as the workspace."
    />
    <fieldset class="group">
      <legend>{LABELS.approvers}</legend>
      <p class="hint">Their members approve, each person for one group. Without a group, admins of the workspace approve.</p>
      <ApproverRows of={of?.approvers ?? []} groups={groups} />
    </fieldset>
    <Select
      name="prevent_self_approval"
      label={LABELS.prevent_self_approval}
      options={Object.entries({ '': AS_WORKSPACE, true: 'Yes', false: 'No' })}
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
      label={`${LABELS.decide_via} (none: same as the workspace)`}
      options={WAYS.map((way) => [way, WAY_LABELS[way]])}
      checked={of?.decide_via ?? []}
    />
    <Checkbox name="require_subject" label={LABELS.require_subject} checked={of?.require_subject ?? false} />
    <Checkbox name="require_checks" label={LABELS.require_checks} checked={of?.require_checks ?? false} />
    <Checkbox name="require_passkey" label={LABELS.require_passkey} checked={of?.require_passkey ?? false} />
    <Checkbox name="gate_required" label={LABELS.gate_required} checked={of?.gate_required ?? false} />
    <Select
      name="promotes_from"
      label={LABELS.promotes_from}
      options={[['', 'Anything may come here'], ...sources.map((name): [string, string] => [name, name])]}
      value={of?.promotes_from ?? ''}
    />
    <Select
      name="soak_seconds"
      label={LABELS.soak_seconds}
      options={soakOptions(of?.soak_seconds ?? 0)}
      value={String(of?.soak_seconds ?? 0)}
    />
    <Checkbox name="open_gate" label={LABELS.open_gate} checked={of?.open_gate ?? false} />
    <FreezeFields
      rows={rows ?? of?.freezes.map(rowOf) ?? []}
      stored={freezesText(of?.freezes ?? [])}
      path={path}
      isFocused={isFocused}
    />
    <Submit>Review</Submit>
    <p class="hint">Nothing is saved yet: the next page shows what the change affects.</p>
  </Form>
)

/** Groups that a policy can name. */
const APPROVER_ROWS = [1, 2, 3, 4, 5, 6] as const

const approver = Maybe(Nullable(Uuid))
const count = Maybe(Nullable(Type.Integer({ minimum: 1, maximum: 10 })))

type ApproverRow = (typeof APPROVER_ROWS)[number]

const approverFields = Object.fromEntries(
  APPROVER_ROWS.flatMap((row) => [
    [`approver_${row}`, approver],
    [`count_${row}`, count],
  ]),
) as Record<`approver_${ApproverRow}`, typeof approver> & Record<`count_${ApproverRow}`, typeof count>

const { approvers: _, freezes: __, decide_via: ___, ...plain } = EnvironmentPolicyInput.properties

export const PolicyFields = Shape({
  ...plain,
  environment: Name(64),
  // Empty: as the workspace says.
  decide_via: Maybe(Type.Array(Way)),
  ...approverFields,
  freezes: Maybe(RowTexts),
})
export type PolicyFields = Static<typeof PolicyFields>

/** What a form contained, to be posted again. */
export const entriesOf = (fields: PolicyFields): [name: string, text: string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    if (Array.isArray(value)) return ['', ...value].map((each) => [name, each])
    if (value !== null && typeof value === 'object')
      return Object.entries(value).map(([within, text]) => [`${name}/${within}`, String(text)])
    return [[name, String(value ?? '')]]
  })

/** The rows of a form that name a group. */
const filledRows = (fields: PolicyFields) =>
  APPROVER_ROWS.flatMap((row) => {
    const group_id = fields[`approver_${row}`]
    return group_id ? [{ row, group_id, count: fields[`count_${row}`] ?? 1 }] : []
  })

/** The request that a form stands for, which is validated like a request to the API. */
export function inputOf(fields: PolicyFields): Record<string, unknown> {
  const { decide_via, required_approvals, prevent_self_approval, expires_in_seconds, ...flags } = fields
  return {
    required_approvals: required_approvals ?? null,
    prevent_self_approval: prevent_self_approval ?? null,
    expires_in_seconds: expires_in_seconds ?? null,
    decide_via: decide_via?.length ? decide_via : null,
    approvers: filledRows(fields).map(({ group_id, count }) => ({ group_id, count })),
    require_subject: flags.require_subject ?? false,
    require_checks: flags.require_checks ?? false,
    require_passkey: flags.require_passkey ?? false,
    gate_required: flags.gate_required ?? false,
    promotes_from: flags.promotes_from ?? null,
    soak_seconds: flags.soak_seconds ?? 0,
    open_gate: flags.open_gate ?? false,
    freezes: rowsOf(fields.freezes ?? {}).map(freezeOf),
  }
}

function atField(fields: PolicyFields, { pointer, code, detail }: FieldError): FieldError {
  const [, list, index = '', field = ''] = /^\/(approvers|freezes)\/(\d+)(?:\/(\w+))?$/.exec(pointer) ?? []
  if (list === 'approvers') return { pointer: `/approver_${filledRows(fields)[Number(index)]?.row ?? 1}`, code, detail }
  if (list !== 'freezes') return { pointer, code, detail }
  const [name, text] = atRow(field, detail)
  return { pointer: `/freezes/${index}/${name}`, code, detail: text }
}

/** Runs the work of a form. @throws Problem with errors at the fields of the form */
export function atFields<Result>(fields: PolicyFields, work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => atOtherFields(error, (each) => atField(fields, each)))
}

const AS_WORKSPACE = 'Same as the workspace'

const LABELS = {
  required_approvals: 'Approvals required',
  approvers: 'Approving groups',
  prevent_self_approval: 'People cannot approve what they asked for',
  expires_in_seconds: 'Expires',
  decide_via: 'Can be decided via',
  require_subject: 'Gates must name what is deployed',
  require_checks: 'Gates need passed checks',
  require_passkey: 'Approving needs a passkey',
  gate_required: 'Nothing is deployed without an approved gate',
  promotes_from: 'What comes here must run in',
  soak_seconds: 'It must run there for',
  open_gate: 'The gate opens by itself then',
  freezes: 'Freezes',
} as const
type Rule = keyof typeof LABELS

const yesNo = (value: boolean | null): string => (value === null ? AS_WORKSPACE : value ? 'Yes' : 'No')

function freezeText(freeze: Freeze): string {
  const { name } = freeze
  if (!isRecurring(freeze)) return `${name}, ${minuteText(freeze.from)} to ${minuteText(freeze.until)}`
  return `${name}, ${freeze.rrule} for ${wholeDurationText(freeze.duration_seconds)} in ${freeze.time_zone}`
}

const freezesText = (freezes: Freeze[]): string => freezes.map(freezeText).join('; ') || 'None'

/** @param groups names by id */
function ruleText(field: Rule, of: PolicyRules, groups: Map<string, string>): string {
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
    case 'promotes_from':
      return of.promotes_from ?? 'Nowhere'
    case 'soak_seconds':
      return of.soak_seconds === 0 ? 'No time' : wholeDurationText(of.soak_seconds)
    default:
      return yesNo(of[field])
  }
}

const FIELDS = Object.keys(LABELS) as Rule[]

interface PolicyFactsProps {
  of: PolicyRules
  /** Names by id. */
  groups: Map<string, string>
  workspace_id: string
}

export function PolicyFacts({ of, groups, workspace_id }: PolicyFactsProps) {
  const shown = (text: string) => (text === AS_WORKSPACE ? <a href={`/app/workspaces/${workspace_id}`}>{text}</a> : text)
  const fields = FIELDS.filter((field) => field !== 'freezes')
  return <Facts of={fields.map((field) => [LABELS[field], shown(ruleText(field, of, groups))])} />
}

type Change = { field: Rule; before: string; after: string }

const columns: Column<Change>[] = [
  { head: 'Rule', main: true, cell: ({ field }) => LABELS[field] },
  { head: 'Now', cell: ({ before }) => before },
  { head: 'New', cell: ({ after }) => after },
]

interface PolicyChangesProps {
  changed: string[]
  before: PolicyRules
  after: PolicyRules
  groups: Map<string, string>
}

/** What a change of a policy changes. @param changed the names of fields */
export function PolicyChanges({ changed, before, after, groups }: PolicyChangesProps) {
  const rows = FIELDS.filter((field) => changed.includes(field)).map((field) => ({
    field,
    before: ruleText(field, before, groups),
    after: ruleText(field, after, groups),
  }))
  return <Table label="Changes" columns={columns} rows={rows} />
}
