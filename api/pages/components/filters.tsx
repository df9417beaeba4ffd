/** Filters of a list. They are parameters of the URL, so that a filtered list can be shared. */
import type { ComponentChildren } from 'preact'

/** A form that shows its own page again, with other parameters, from the first page. */
export function Filters({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <form method="get" class="filters" aria-label={label}>
      {children}
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  )
}

/** One of several values, or any. */
export function FilterSelect({
  name,
  label,
  value,
  options,
}: {
  /** The name of the parameter. */
  name: string
  label: string
  value: string | undefined
  options: readonly string[]
}) {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">any</option>
        {options.map((option) => (
          <option key={option} value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}
