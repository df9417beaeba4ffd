/** Lists in a form: a row of fields, or a field, for each, and empty ones for more, which a button adds. They work without a script. */
import { useContext } from 'preact/hooks'
import { Type } from '../../../core/values/schema.ts'
import { REDISPLAY, textsIn } from '../forms.ts'
import { CurrentForm, type Options, Submit, Wrong } from './forms.tsx'

/** Empty rows after those with something in them. */
const SPARE = 2

interface Cell {
  name: string
  label: string
  /** The values to choose from; the first one is chosen. */
  options?: Options
  type?: 'text' | 'url'
  inputMode?: 'decimal'
}

export interface RowsOf {
  name: string
  label: string
  /** What a row is called. */
  one: string
  hint: string
  maximum: number
  cells: Cell[]
}

/** What the rows of a list post: texts by `0.name`. */
export const RowTexts = Type.Record(Type.String(), Type.String())

export interface Row {
  /** Its place in the form, which counts empty rows, too. */
  at: number
  texts: Record<string, string>
}

/** The rows with something in them. What can only be chosen always has a value. */
export function filledRows({ cells, maximum }: Pick<RowsOf, 'cells' | 'maximum'>, texts: Record<string, string> = {}): Row[] {
  const rows = Array.from({ length: maximum + SPARE }, (_, at): Row => {
    const row = cells.map(({ name }) => [name, (texts[`${at}.${name}`] ?? '').trim()])
    return { at, texts: Object.fromEntries(row) }
  })
  return rows.filter((row) => cells.some(({ name, options }) => !options && row.texts[name] !== ''))
}

type InputProps = { of: Cell; at: number; row: string; name: string; hasError: boolean; autofocus: boolean }

function Input({ of, at, row, name, hasError, autofocus }: InputProps) {
  const refused = useContext(CurrentForm)
  const entered = refused?.values.get(name) ?? ''
  const attributes = {
    name,
    'aria-label': `${of.label}, ${row} ${at + 1}`,
    'aria-invalid': hasError || undefined,
    'aria-describedby': hasError ? `${name}-error` : undefined,
    autofocus: autofocus || undefined,
  }
  if (!of.options)
    return (
      <input
        {...attributes}
        type={(of.type ?? 'text') as 'text'}
        inputMode={of.inputMode}
        placeholder={of.label}
        value={entered}
      />
    )
  return (
    <select {...attributes}>
      {of.options.map(([value, text]) => (
        <option value={value} selected={value === entered}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** Asks for the form with more rows. @param of the name of the list */
export const MoreRows = ({ of, label }: { of: string; label: string }) => (
  <Submit kind="quiet" bare name={REDISPLAY} value={of}>
    More rows<span class="unseen">: {label}</span>
  </Submit>
)

/** Makes Enter in a field send the form: browsers press the first button. */
export const EnterSends = () => (
  <button type="submit" class="unseen" tabindex={-1}>
    Send
  </button>
)

export function FoldedRows({ of }: { of: RowsOf }) {
  const refused = useContext(CurrentForm)
  const isUsed =
    filledRows(of, textsIn(refused?.values, of.name)).length > 0 || refused?.again === of.name || refused?.errors[of.name]
  return (
    <details class="change" open={Boolean(isUsed)}>
      <summary>{of.label}</summary>
      <Rows of={of} isNamed={false} />
    </details>
  )
}

/** The rows of a list that starts empty. The form begins with `EnterSends`. @param isNamed whether its name is visible */
export function Rows({ of, isNamed = true }: { of: RowsOf; isNamed?: boolean }) {
  const { name, label, one, hint, maximum, cells } = of
  const refused = useContext(CurrentForm)
  const last = filledRows(of, textsIn(refused?.values, name)).at(-1)?.at ?? -1
  const count = Math.min(last + 1 + SPARE, maximum)
  const error = refused?.errors[name]
  return (
    <fieldset aria-describedby={error ? `${name}-hint ${name}-error` : `${name}-hint`}>
      <legend class={isNamed ? undefined : 'unseen'}>{label}</legend>
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
      {/* What is wrong with the list is shown here. */}
      <input type="hidden" name={name} value="rows" />
      {Array.from({ length: count }, (_, at) => {
        const wrong = cells.flatMap((cell) => {
          const field = `${name}/${at}.${cell.name}`
          return refused?.errors[field] ? [{ field, text: `${cell.label} ${refused.errors[field]}.` }] : []
        })
        return (
          <div>
            <div class="pair">
              {cells.map((cell, index) => {
                const field = `${name}/${at}.${cell.name}`
                return (
                  <Input
                    of={cell}
                    at={at}
                    row={one}
                    name={field}
                    hasError={wrong.some((each) => each.field === field)}
                    autofocus={refused?.again === name && at === last + 1 && index === 0}
                  />
                )
              })}
            </div>
            {wrong.map(({ field, text }) => (
              <Wrong id={field} text={text} />
            ))}
          </div>
        )
      })}
      {error && <Wrong id={name} text={`${label} ${error}.`} />}
      {count < maximum && <MoreRows of={name} label={label} />}
    </fieldset>
  )
}

/** Empty fields after those with a text. */
const SPARE_TEXTS = 3

type RepeatedProps = { name: string; label: string; one: string; values: string[]; maximum: number; hint: string }

/** A list of texts: a field for each. The form begins with `EnterSends`. @param one what a field is called; they are numbered */
export function Repeated({ name, label, one, values, maximum, hint }: RepeatedProps) {
  const refused = useContext(CurrentForm)
  const entered = refused?.values.getAll(name).filter((text) => text !== '') ?? values
  const isChanged = refused?.isOutdated && entered.join('\n').replaceAll('\r\n', '\n') !== values.join('\n')
  const fields = Math.min(entered.length + SPARE_TEXTS, maximum)
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
      {fields < maximum && <MoreRows of={name} label={label} />}
      {error && <Wrong id={name} text={`${label} ${error}.`} />}
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
