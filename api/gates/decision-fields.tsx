/** What the form of an approval has beside the comment: what was shown, and the answers. */
import type { Gate, GateField } from '../../core/gates.ts'
import { Choice, Field, Select, TextArea } from '../pages/components/forms.tsx'

function Question({ of: { name, label, type, choices, required } }: { of: GateField }) {
  const field = { name: `answers/${name}`, label, required }
  if (type === 'text') return <TextArea {...field} rows={2} maxLength={2000} />
  if (type === 'number') return <Field {...field} type="text" inputMode="decimal" />
  if (type === 'choice') {
    const options = (choices ?? []).map((choice): [string, string] => [choice, choice])
    return <Select {...field} options={[['', 'Choose…'], ...options]} />
  }
  return (
    <Choice
      {...field}
      options={[
        ['true', 'Yes'],
        ['false', 'No'],
      ]}
    />
  )
}

/** @param canApprove whether the reader may approve: who only rejects answers nothing */
export function DecisionFields({ gate, canApprove }: { gate: Gate; canApprove: boolean }) {
  return (
    <>
      {gate.binding !== null && <input type="hidden" name="binding" value={gate.binding} />}
      {canApprove && gate.fields.map((field) => <Question of={field} />)}
    </>
  )
}
