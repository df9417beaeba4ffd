/** Days of the calendar as numbers, counted from 1970-01-01: a rule is evaluated for thousands of them in a row. */

import { DAY_MS } from '../values/instants.ts'

export interface CalendarDate {
  year: number
  /** From 1. */
  month: number
  day: number
}

export function dateOf(day: number): CalendarDate {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The number of a day. Months and days may be out of range: day 0 is the last of the month before. */
export const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / DAY_MS

/** From 0, Monday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

/** Days since the last beginning of a week. @param first the day that weeks begin with */
const daysIntoWeek = (day: number, first: number): number => (weekdayOf(day) - first + 7) % 7

export const weekStart = (day: number, first: number): number => day - daysIntoWeek(day, first)

/** The week of a year that a day is in, and how many weeks that year has. The first has at least four days of the year. */
export function weekOf(day: number, first: number): { week: number; weeks: number } {
  const { year } = dateOf(weekStart(day, first) + 3)
  const begin = weekStart(dayOf(year, 1, 4), first)
  const numberOf = (other: number) => Math.floor((other - begin) / 7) + 1
  return { week: numberOf(day), weeks: numberOf(dayOf(year, 12, 28)) }
}
