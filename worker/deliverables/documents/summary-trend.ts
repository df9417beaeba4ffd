/** Throughput, lead time and cost over the last eight weeks. */
import { roundUsd, sumUsd, usdText } from '../../../core/values/money.ts'
import { daysBefore } from '../data/project.ts'
import { day, duration, median } from '../format.ts'
import { bars, inline, table } from '../markdown.ts'
import type { Execution, ProjectData, Requirement } from '../project-data.ts'

const WEEKS = 8

/** The newest four weeks, which the summary compares with those before. */
export const RECENT_DAYS = 28

interface Period {
  /** Exclusive, as ISO 8601. */
  from: string
  /** Inclusive. */
  until: string
}

type Figures = { done: number; lead_seconds: number | null; cost_usd: number }

/** When an execution ended, or the last that is known of it. */
export const endOf = ({ finished_at, started_at, created_at }: Execution): string => finished_at ?? started_at ?? created_at

const leadTime = ({ created_at, completed_at }: Requirement): number =>
  (Date.parse(completed_at ?? '') - Date.parse(created_at)) / 1000

function figuresOf({ requirements, executions }: ProjectData, { from, until }: Period): Figures {
  const isWithin = (instant: string | null) => instant !== null && instant > from && instant <= until
  const done = requirements.filter(({ completed_at }) => isWithin(completed_at))
  return {
    done: done.length,
    lead_seconds: median(done.map(leadTime)),
    cost_usd: sumUsd(executions.filter((each) => isWithin(endOf(each))).map(({ cost_usd }) => cost_usd ?? 0)),
  }
}

const weeksAgo = (newest: string, weeks: number, length = 1): Period => ({
  from: daysBefore(newest, (weeks + length) * 7),
  until: daysBefore(newest, weeks * 7),
})

function comparison(data: ProjectData): string {
  const before = figuresOf(data, weeksAgo(data.newest, 4, 4))
  const now = figuresOf(data, weeksAgo(data.newest, 0, 4))
  const lead = ({ lead_seconds }: Figures) => (lead_seconds === null ? 'none' : duration(lead_seconds))
  return inline(
    `Last four weeks: ${now.done} done (${before.done} in the four weeks before), median lead time ${lead(now)} (${lead(before)}), cost ${usdText(now.cost_usd)} (${usdText(before.cost_usd)}).`,
  )
}

export function trend(data: ProjectData): string[] {
  const weeks = Array.from({ length: WEEKS }, (_, index) => {
    const period = weeksAgo(data.newest, WEEKS - 1 - index)
    return { label: day(daysBefore(period.until, 6)), ...figuresOf(data, period) }
  })
  if (weeks.every(({ done, cost_usd }) => done === 0 && cost_usd === 0))
    return ['Nothing was done or spent in the last eight weeks.']
  const longest = Math.max(...weeks.map(({ lead_seconds }) => lead_seconds ?? 0))
  const [unit, seconds] = longest >= 172_800 ? (['days', 86_400] as const) : (['hours', 3_600] as const)
  const tenths = (value: number) => Math.round(value * 10) / 10
  const counts = weeks.map(({ label, done }): [string, number] => [label, done])
  const leads = weeks.map(({ label, lead_seconds }): [string, number] => [label, tenths((lead_seconds ?? 0) / seconds)])
  const costs = weeks.map(({ label, cost_usd }): [string, number] => [label, roundUsd(tenths(cost_usd))])
  return [
    comparison(data),
    bars('Done per week', 'requirements', counts),
    bars(`Median lead time (${unit})`, unit, leads),
    bars('Cost per week (USD)', 'USD', costs),
    table(
      ['Week from', 'Done', 'Median lead time', 'Cost'],
      weeks.map(({ label, done, lead_seconds, cost_usd }) => [
        label,
        String(done),
        lead_seconds === null ? '–' : duration(lead_seconds),
        inline(usdText(cost_usd)),
      ]),
      [1, 2, 3],
    ),
    'Lead time is from the creation of a requirement to its completion.',
  ]
}
