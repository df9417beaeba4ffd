/** The spend of twelve months as bars, and as a table. */
import { type Column, Table } from '../pages/components/structure.tsx'
import { Money, State } from '../pages/components/text.tsx'

const MONTHS = 12
const HEIGHT = 100
const WIDTH = 10
const GAP = 3

interface Spent {
  month: string
  used_usd: number
}

/** The name of a month. */
export const monthOf = (month: string, form: 'short' | 'long'): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleString('en', {
    timeZone: 'UTC',
    month: form,
    ...(form === 'long' ? { year: 'numeric' } : {}),
  })

/** The last twelve months, oldest first, also those without spend. */
function lastMonths(spend: Spent[]): Spent[] {
  const used = new Map(spend.map(({ month, used_usd }) => [month, used_usd]))
  const now = new Date()
  return Array.from({ length: MONTHS }, (_, index) => {
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1) + index, 1)
    const month = new Date(first).toISOString().slice(0, 7)
    return { month, used_usd: used.get(month) ?? 0 }
  })
}

/** The use of a budget in words. */
export function BudgetState(of: { limit: number | null; used: number; threshold: number }) {
  const { limit, used, threshold } = of
  if (limit === null) return <State of="no limit" />
  if (used >= limit) return <State of="exhausted" />
  if (used > limit * threshold) return <State of="nearly used" tone="warn" />
  return <State of="within the limit" tone="good" />
}

/** Stretched to the width of the page, so its texts are outside. */
function Bars({ months, limit }: { months: Spent[]; limit: number | null }) {
  const top = Math.max(...months.map(({ used_usd }) => used_usd), limit ?? 0) || 1
  const total = months.reduce((sum, { used_usd }) => sum + used_usd, 0)
  const width = MONTHS * WIDTH
  const lineAt = limit === null ? null : HEIGHT - (limit / top) * HEIGHT
  return (
    <>
      <svg
        viewBox={`0 -2 ${width} ${HEIGHT + 3}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Spend of the last ${MONTHS} months, ${total === 0 ? 'none so far' : 'as in the table below'}`}
      >
        {months.map(({ month, used_usd }, index) => {
          const height = (used_usd / top) * HEIGHT
          return (
            <rect
              key={month}
              class={limit !== null && used_usd >= limit && used_usd > 0 ? 'over' : undefined}
              x={index * WIDTH + GAP / 2}
              y={HEIGHT - height}
              width={WIDTH - GAP}
              height={height}
            />
          )
        })}
        <line class="base" x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} />
        {lineAt !== null && <line class="limit" x1={0} x2={width} y1={lineAt} y2={lineAt} />}
      </svg>
      <div class="months" aria-hidden="true">
        {months.map(({ month }) => (
          <span key={month}>{monthOf(month, 'short')}</span>
        ))}
      </div>
      {limit !== null && (
        <p class="hint">
          The dashed line is today's limit, <Money usd={limit} />.
        </p>
      )}
    </>
  )
}

/**
 * Spend per month.
 *
 * @param limit the limit of a month; null for none
 */
export function SpendChart({ spend, limit }: { spend: Spent[]; limit: number | null }) {
  const months = lastMonths(spend)
  const columns: Column<Spent>[] = [
    { head: 'Month', main: true, cell: ({ month }) => monthOf(month, 'long') },
    { head: 'Spend', numeric: true, cell: ({ used_usd }) => <Money usd={used_usd} /> },
  ]
  return (
    <>
      <div class="card chart">
        <Bars months={months} limit={limit} />
      </div>
      <Table label="Spend per month" columns={columns} rows={months.toReversed()} keyOf={({ month }) => month} />
    </>
  )
}
