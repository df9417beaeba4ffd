/** Numbers names that are taken: SQL that finds a free number with few lookups. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'

/** The name with a number; the name itself for 1. */
type Numbered = (number: Fragment) => Fragment

/** A slug followed by `-2`, `-3`, …, never longer than 48 characters. */
export const numberedSlug =
  (slug: string): Numbered =>
  (number) =>
    sql`
    case ${number}
      when 1 then ${slug}::text
      else rtrim(left(${slug}::text, 47 - length(${number}::text)), '-') || '-' || ${number}
    end
  `

/** A key followed by 2, 3, …. */
export const numberedKey =
  (key: string): Numbered =>
  (number) =>
    sql`concat(${key}::text, nullif(${number}, 1))`

/**
 * Finds a free name: the number is doubled until the name is free, then narrowed by bisection. A million equal names take
 * forty lookups.
 *
 * `offset 0` keeps PostgreSQL from evaluating the lookup more than once.
 *
 * @param isTaken whether a name is taken, as `(select true …) is not null`: for `exists`, PostgreSQL may hash the whole
 *   table. The caller must hold a lock that keeps others from taking the same name
 */
export const freeName = (numbered: Numbered, isTaken: (name: Fragment) => Fragment) => sql`
  (
    with recursive probe (taken, free, number) as (
      select 0, null::integer, 1
      union all
      select
        step.taken, step.free,
        case when step.free is null then step.taken * 2 else (step.taken + step.free) / 2 end
      from probe
      cross join lateral (
        select
          case when look.is_taken then probe.number else probe.taken end as taken,
          case when look.is_taken then probe.free else probe.number end as free
        from (select ${isTaken(numbered(sql`probe.number`))} as is_taken offset 0) as look
        offset 0
      ) as step
      where probe.free is null or probe.free - probe.taken > 1
    )
    select ${numbered(sql`probe.free`)} from probe where free - taken = 1
  )
`
