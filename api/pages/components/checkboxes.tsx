/** Checkboxes. Like the fields of `forms.tsx`, they show what was entered before. */
import { useContext } from 'preact/hooks'
import { CurrentForm, type Options, Stored, Wrong } from './forms.tsx'

export function Checkbox({ name, label, checked }: { name: string; label: string; checked: boolean }) {
  const refused = useContext(CurrentForm)
  const entered = refused?.values.getAll(name).at(-1) ?? String(checked)
  return (
    <div class="field">
      {/* Browsers leave out what is not checked. */}
      <input type="hidden" name={name} value="false" />
      <label class="tick">
        <input type="checkbox" name={name} value="true" checked={entered === 'true'} /> {label}
      </label>
      <Stored text={refused?.isOutdated && entered !== String(checked) ? (checked ? 'yes' : 'no') : null} />
    </div>
  )
}

/** Makes a list part of the form even if nothing is checked. */
export const EmptyList = ({ name }: { name: string }) => <input type="hidden" name={name} value="" />

type TickProps = { name: string; value: string; label: string; checked: boolean; isNamed?: boolean }

/** One value of a list. The form also needs an `EmptyList`. @param isNamed whether the text is visible; in tables the head has it */
export function Tick({ name, value, label, checked, isNamed = false }: TickProps) {
  const refused = useContext(CurrentForm)
  const isEntered = refused ? refused.values.getAll(name).includes(value) : checked
  return (
    <>
      <label class="tick">
        <input type="checkbox" name={name} value={value} checked={isEntered} />{' '}
        <span class={isNamed ? undefined : 'unseen'}>{label}</span>
      </label>
      <Stored text={refused?.isOutdated && isEntered !== checked ? (checked ? 'yes' : 'no') : null} />
    </>
  )
}

type CheckboxesProps = { name: string; label: string; options: Options; checked: readonly string[] }

export function Checkboxes({ name, label, options, checked }: CheckboxesProps) {
  const error = useContext(CurrentForm)?.errors[name]
  return (
    <fieldset aria-describedby={error && `${name}-error`}>
      <legend>{label}</legend>
      <EmptyList name={name} />
      {options.map(([value, text]) => (
        <Tick name={name} value={value} label={text} checked={checked.includes(value)} isNamed />
      ))}
      {error && <Wrong id={name} text={`${label} ${error}.`} />}
    </fieldset>
  )
}
