/** The policy of an environment as the fields of a form: lists are rows. */
import { Maybe, Name, Nullable, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import { atRow, freezeOf, rowsOf } from '../freezes/rows.ts'
import { Way } from '../gates/policy-fields.ts'
import { RowTexts } from '../pages/components/rows.tsx'
import { atOtherFields, type FieldError } from '../problems.ts'
import { EnvironmentPolicyInput } from './policy-schema.ts'

/** Groups that a policy can name. */
export const APPROVER_ROWS = [1, 2, 3, 4, 5, 6] as const

const approver = Maybe(Nullable(Uuid))
const count = Maybe(Nullable(Type.Integer({ minimum: 1, maximum: 10 })))

const { approvers: _, freezes: __, decide_via: ___, ...plain } = EnvironmentPolicyInput.properties

/** What the form posts. */
export const PolicyFields = Shape({
  ...plain,
  environment: Name(64),
  // Empty: as the workspace says.
  decide_via: Maybe(Type.Array(Way)),
  approver_1: approver,
  count_1: count,
  approver_2: approver,
  count_2: count,
  approver_3: approver,
  count_3: count,
  approver_4: approver,
  count_4: count,
  approver_5: approver,
  count_5: count,
  approver_6: approver,
  count_6: count,
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

/** The request that a form stands for, which is validated as that of the API is. */
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
    freezes: rowsOf(fields.freezes ?? {}).map(freezeOf),
  }
}

/** An error of the request at the field of the form. */
function atField(fields: PolicyFields, { pointer, code, detail }: FieldError): FieldError {
  const [, list, index = '', field = ''] = /^\/(approvers|freezes)\/(\d+)(?:\/(\w+))?$/.exec(pointer) ?? []
  if (list === 'approvers') return { pointer: `/approver_${filledRows(fields)[Number(index)]?.row ?? 1}`, code, detail }
  if (list !== 'freezes') return { pointer, code, detail }
  const [name, text] = atRow(field, detail)
  return { pointer: `/freezes/${index}/${name}`, code, detail: text }
}

/** Runs the work of a form. @throws Problem with errors at the fields of the form */
export const atFields = <Result>(fields: PolicyFields, work: () => Promise<Result>): Promise<Result> =>
  work().catch((error: unknown) => atOtherFields(error, (each) => atField(fields, each)))
