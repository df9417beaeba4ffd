/** The filter of a hook as rows of a form: what of the event, how it is compared, and with what. */
import { useContext } from 'preact/hooks'
import { type Filter, MAX_CONDITIONS } from '../../core/dispatches/filters.ts'
import { CurrentForm, Stored, Wrong } from '../pages/components/forms.tsx'
import { MoreRows } from '../pages/components/rows.tsx'
import { jsonOrText, textsIn } from '../pages/forms.ts'

/** Empty rows after those with a condition. */
const SPARE = 2

const OPERATORS: [name: string, text: string][] = [
  ['is', 'is'],
  ['not', 'is not'],
  ['in', 'is one of'],
  ['starts_with', 'starts with'],
  ['gte', 'is at least'],
  ['lte', 'is at most'],
  ['exists', 'exists'],
  ['absent', 'does not exist'],
]

/** What filters are usually about; others can be typed. */
const POINTERS = [
  '/data/gate/name',
  '/data/gate/environment',
  '/data/gate/subject/version',
  '/data/execution/agent',
  '/data/execution/cost_usd',
  '/data/requirement/kind',
  '/data/requirement/title',
]

type Row = { pointer: string; operator: string; value: string }

/** A literal as it is typed: text as it is, unless it reads as something else. */
function typed(literal: unknown): string {
  if (typeof literal !== 'string') return JSON.stringify(literal)
  return literal === '' || jsonOrText(literal) !== literal ? JSON.stringify(literal) : literal
}

function listed(literals: unknown): string {
  if (!Array.isArray(literals)) return typed(literals).includes(',') ? JSON.stringify(literals) : typed(literals)
  const texts = literals.map(typed)
  return texts.some((text) => text.includes(',')) ? JSON.stringify(literals) : texts.join(', ')
}

function listIn(text: string): unknown[] {
  const whole = jsonOrText(text)
  return Array.isArray(whole) ? whole : text.split(',').map((each) => jsonOrText(each.trim()))
}

function rowOf([pointer, condition]: [string, unknown]): Row {
  if (condition === null || typeof condition !== 'object') return { pointer, operator: 'is', value: typed(condition) }
  const [[operator = '', operand] = []] = Object.entries(condition)
  if (operator === 'exists') return { pointer, operator: operand ? 'exists' : 'absent', value: '' }
  return { pointer, operator, value: listed(operand) }
}

function conditionOf({ operator, value }: Row): unknown {
  if (operator === 'is') return jsonOrText(value)
  if (operator === 'exists' || operator === 'absent') return { exists: operator === 'exists' }
  if (operator === 'in') return { in: listIn(value) }
  if (operator === 'not' && value.includes(',') && jsonOrText(value) === value) return { not: listIn(value) }
  return { [operator]: operator === 'starts_with' ? value : jsonOrText(value) }
}

/** The rows that were sent, without the empty ones. @param texts by `0.pointer`, `0.operator`, `0.value` */
const rowsIn = (texts: Record<string, string>): Row[] =>
  Array.from({ length: MAX_CONDITIONS }, (_, index) => ({
    pointer: texts[`${index}.pointer`]?.trim() ?? '',
    operator: texts[`${index}.operator`] ?? 'is',
    value: texts[`${index}.value`]?.trim() ?? '',
  })).filter(({ pointer }) => pointer !== '')

/** The filter of the API from the rows of a form; null without rows. It is not checked yet. */
export function filterFrom(texts: Record<string, string>): Filter | null {
  const rows = rowsIn(texts)
  return rows.length === 0 ? null : Object.fromEntries(rows.map((row) => [row.pointer, conditionOf(row)]))
}

/** @param of the stored filter */
export function FilterRows({ of }: { of: Filter | null }) {
  const refused = useContext(CurrentForm)
  const sent = refused && textsIn(refused.values, 'filter')
  const rows = sent ? rowsIn(sent) : Object.entries(of ?? {}).map(rowOf)
  const stored = refused?.isOutdated ? JSON.stringify(of ?? {}) : null
  const error = refused?.errors.filter
  const shown = Array.from({ length: Math.min(rows.length + SPARE, MAX_CONDITIONS) }, (_, index) => rows[index])
  return (
    <fieldset aria-describedby={error ? 'filter-hint filter-error' : 'filter-hint'}>
      <legend>Filter</legend>
      <p class="hint" id="filter-hint">
        The hook is called only for events that fulfil every row; without rows, for each. Numbers, true, false and null are read
        as such, unless they stand in quotes; values of a list are separated by commas.
      </p>
      {/* What is wrong with a row is shown here. */}
      <input type="hidden" name="filter" value="rows" />
      <datalist id="filter-pointers">
        {POINTERS.map((pointer) => (
          <option value={pointer} />
        ))}
      </datalist>
      {shown.map((row, index) => (
        <div class="pair">
          <input
            name={`filter/${index}.pointer`}
            aria-label={`Part of the event, row ${index + 1}`}
            autofocus={(refused?.again === 'filter' && index === rows.length) || undefined}
            placeholder="/data/gate/name"
            list="filter-pointers"
            value={row?.pointer ?? ''}
          />
          <select name={`filter/${index}.operator`} aria-label={`Comparison, row ${index + 1}`}>
            {OPERATORS.map(([name, text]) => (
              <option value={name} selected={name === (row?.operator ?? 'is')}>
                {text}
              </option>
            ))}
          </select>
          <input name={`filter/${index}.value`} aria-label={`Value, row ${index + 1}`} value={row?.value ?? ''} />
        </div>
      ))}
      {shown.length < MAX_CONDITIONS && <MoreRows of="filter" label="Filter" />}
      {error && <Wrong id="filter" text={`Filter ${error}.`} />}
      <Stored text={stored === JSON.stringify(filterFrom(sent ?? {}) ?? {}) ? null : stored} />
    </fieldset>
  )
}
