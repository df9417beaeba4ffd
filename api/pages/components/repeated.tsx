/** A list of texts in a form: a field for each, and some empty ones for more. The form begins with `EnterSends`. */
import { useContext } from 'preact/hooks'
import { AGAIN } from '../forms.ts'
import { CurrentForm, Submit } from './forms.tsx'

/** Empty fields after those with a text. */
const SPARE = 3

/**
 * @param name of the list in the body of the API route
 * @param one what a field is called; they are numbered
 */
export function Repeated({
  name,
  label,
  one,
  values,
  maximum,
  hint,
}: {
  name: string
  label: string
  one: string
  values: string[]
  maximum: number
  hint: string
}) {
  const refused = useContext(CurrentForm)
  const entered = refused?.values.getAll(name).filter((text) => text !== '') ?? values
  const isChanged = refused?.isOutdated && entered.join('\n').replaceAll('\r\n', '\n') !== values.join('\n')
  const fields = Math.min(Math.max(entered.length + SPARE, SPARE), maximum)
  const error = refused?.errors[name]
  return (
    <fieldset aria-describedby={error ? `${name}-hint ${name}-error` : `${name}-hint`}>
      <legend>{label}</legend>
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
      {Array.from({ length: fields }, (_, index) => (
        <textarea
          name={name}
          rows={2}
          aria-label={`${one} ${index + 1}`}
          autofocus={(refused?.again === name && index === entered.length) || undefined}
          value={entered[index] ?? ''}
        />
      ))}
      {fields < maximum && (
        <Submit kind="quiet" bare name={AGAIN} value={name}>
          More rows<span class="unseen">: {label}</span>
        </Submit>
      )}
      {error && (
        <p class="wrong" id={`${name}-error`}>
          {label} {error}.
        </p>
      )}
      {isChanged && (
        <div class="hint stored">
          Stored now:
          <ol>
            {values.map((text) => (
              <li>{text}</li>
            ))}
          </ol>
        </div>
      )}
    </fieldset>
  )
}
