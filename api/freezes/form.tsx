/** The freezes of a policy in a form. Rows are added and removed by buttons that send the form without saving it. */
import { useContext } from 'preact/hooks'
import { CurrentForm, Field, Select, Stored, SubmitTo } from '../pages/components/forms.tsx'
import { AGAIN } from '../pages/forms.ts'
import { type FreezeRow, MAX_FREEZES, UNITS } from './rows.ts'

const ZONES = Intl.supportedValuesOf('timeZone')

const unitOptions = Object.keys(UNITS).map((unit): [string, string] => [unit, unit])

function Once({ of: { from, until }, at }: { of: FreezeRow; at: string }) {
  return (
    <div class="pair">
      <Field name={`${at}/from`} label="From, in UTC" type="datetime-local" value={from} required />
      <Field name={`${at}/until`} label="Until, in UTC" type="datetime-local" value={until} required />
    </div>
  )
}

function Repeating({ of: { rrule, duration, unit, time_zone }, at }: { of: FreezeRow; at: string }) {
  return (
    <>
      <Field
        name={`${at}/rrule`}
        label="Starts"
        value={rrule}
        maxLength={1000}
        required
        hint={
          <>
            A recurrence rule: <code>FREQ=WEEKLY;BYDAY=FR;BYHOUR=16</code> is each Friday at 16:00,{' '}
            <code>FREQ=MONTHLY;BYMONTHDAY=-1</code> each last day of a month at 0:00.
          </>
        }
      />
      <div class="pair">
        <Field name={`${at}/duration`} label="Duration" inputMode="decimal" value={duration} required />
        <Select name={`${at}/unit`} label="Unit" options={unitOptions} value={unit} required />
        <Field name={`${at}/time_zone`} label="Time zone" value={time_zone} maxLength={64} list="zones" required />
      </div>
    </>
  )
}

/**
 * @param stored what is stored, in words
 * @param path the action of the form
 * @param isFocused whether the last row was just added
 */
export function FreezeFields({
  rows,
  stored,
  path,
  isFocused,
}: {
  rows: FreezeRow[]
  stored: string
  path: string
  isFocused: boolean
}) {
  const isOutdated = useContext(CurrentForm)?.isOutdated
  return (
    <fieldset id="freezes" class="group">
      <legend>Freezes</legend>
      <Stored text={isOutdated ? stored : null} />
      {rows.length === 0 && <p class="hint">None. While a freeze holds, approved deployments wait.</p>}
      {rows.map((row, index) => {
        const at = `freezes/${index}`
        return (
          <fieldset class="group card" aria-label={`Freeze ${index + 1}`}>
            <input type="hidden" name={`${at}/kind`} value={row.kind} />
            <Field
              name={`${at}/name`}
              label="Name"
              value={row.name}
              maxLength={120}
              required
              autofocus={isFocused && index === rows.length - 1}
            />
            {row.kind === 'repeating' ? <Repeating of={row} at={at} /> : <Once of={row} at={at} />}
            <SubmitTo bare action={`${path}#freezes`} name={AGAIN} value={`remove ${index}`}>
              Remove <span class="unseen">freeze {index + 1}</span>
            </SubmitTo>
          </fieldset>
        )
      })}
      {rows.length < MAX_FREEZES ? (
        <div class="buttons">
          <SubmitTo bare action={`${path}#freezes`} name={AGAIN} value="add once">
            Add dates
          </SubmitTo>
          <SubmitTo bare action={`${path}#freezes`} name={AGAIN} value="add repeating">
            Add a repeating freeze
          </SubmitTo>
        </div>
      ) : (
        <p class="hint">A policy has at most {MAX_FREEZES} freezes.</p>
      )}
      {rows.some(({ kind }) => kind === 'repeating') && (
        <datalist id="zones">
          {ZONES.map((zone) => (
            <option value={zone} />
          ))}
        </datalist>
      )}
    </fieldset>
  )
}
