/** The spend of twelve months as bars, the state of a budget, and its fields in a form. */
import { BarChart, MAX_SERIES } from '../pages/components/charts.tsx'
import { Field } from '../pages/components/forms.tsx'
import { type Column, Table } from '../pages/components/structure.tsx'
import { Money, State } from '../pages/components/text.tsx'

const MONTHS = 12

type Spent = { month: string; used_usd: number }

const months = {
  short: new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short' }),
  long: new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'long', year: 'numeric' }),
}

export const monthOf = (month: string, form: keyof typeof months): string =>
  months[form].format(new Date(`${month}-01T00:00:00Z`))

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

export function BudgetState(of: { limit: number | null; used: number; threshold: number }) {
  const { limit, used, threshold } = of
  if (limit === null) return <State of="no limit" />
  if (used >= limit) return <State of="exhausted" />
  if (used > limit * threshold) return <State of="nearly used" tone="wait" />
  return <State of="within the limit" tone="good" />
}

/** Spend per month. @param limit the limit of a month; null for none */
export function SpendChart({ spend, limit }: { spend: Spent[]; limit: number | null }) {
  const months = lastMonths(spend)
  const isSpent = months.some(({ used_usd }) => used_usd > 0)
  const columns: Column<Spent>[] = [
    { head: 'Month', main: true, cell: ({ month }) => monthOf(month, 'long') },
    { head: 'Spend', numeric: true, cell: ({ used_usd }) => <Money usd={used_usd} /> },
  ]
  return (
    <>
      <BarChart
        label={`Spend of the last ${MONTHS} months, ${isSpent ? 'as in the table below' : 'none so far'}`}
        names={months.map(({ month }) => monthOf(month, 'short'))}
        series={['Spend']}
        values={months.map(({ used_usd }) => [used_usd])}
        text={(usd) => <Money usd={usd} />}
        limit={limit}
        isOver={(index) => limit !== null && (months[index]?.used_usd ?? 0) >= limit}
      />
      {limit !== null && (
        <p class="hint">
          The dashed line is today's limit, <Money usd={limit} />. Months that reached it are hollow.
        </p>
      )}
      <Table label="Spend per month" columns={columns} rows={months.toReversed()} />
    </>
  )
}

interface GroupSpent extends Spent {
  model?: string | null
  agent?: string
}

/** The spend of groups in each of the last twelve months: those with the most, and the others together. */
export function GroupChart({ title, rows, nameOf }: { title: string; rows: GroupSpent[]; nameOf: (row: GroupSpent) => string }) {
  const totals = new Map<string, number>()
  for (const row of rows) totals.set(nameOf(row), (totals.get(nameOf(row)) ?? 0) + row.used_usd)
  const names = [...totals.keys()].toSorted((one, other) => (totals.get(other) ?? 0) - (totals.get(one) ?? 0))
  const shown = names.length > MAX_SERIES ? [...names.slice(0, MAX_SERIES - 1), 'Others'] : names
  const months = lastMonths([])
  const at = new Map(months.map(({ month }, index) => [month, index]))
  const values = months.map(() => shown.map(() => 0))
  for (const row of rows) {
    const index = shown.indexOf(nameOf(row))
    const month = values[at.get(row.month) ?? -1]
    const series = index === -1 ? shown.length - 1 : index
    if (month) month[series] = (month[series] ?? 0) + row.used_usd
  }
  return (
    <BarChart
      label={`${title} in the last ${MONTHS} months, as in the table below`}
      names={months.map(({ month }) => monthOf(month, 'short'))}
      series={shown}
      values={values}
      text={(usd) => <Money usd={usd} />}
    />
  )
}

type Limited = { budget_monthly_limit_usd: number | null; budget_alert_threshold: number }

/** @param of null for a new one */
export const BudgetFields = ({ of }: { of: Limited | null }) => (
  <>
    <Field
      name="budget_monthly_limit_usd"
      label="Monthly budget in US dollars"
      inputMode="decimal"
      value={of?.budget_monthly_limit_usd?.toString()}
      hint="New executions are refused when it is used up. Empty: no limit."
    />
    <Field
      name="budget_alert_threshold"
      label="Alert threshold"
      inputMode="decimal"
      required
      value={String(of?.budget_alert_threshold ?? 0.8)}
      hint="A share of the budget: 0.8 is 80%."
    />
  </>
)
