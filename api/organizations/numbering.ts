/** Names that are taken get a number: the statements that find one, however many there are. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'

/** How a name is written under a number; under 1 it is the name itself. */
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
 * A name that is free: under 1, or under the number after one that is taken. The number doubles until it is free, and the
 * distance to the last one that was taken is halved from there: a million of one name take forty lookups.
 *
 * `offset 0` keeps PostgreSQL from repeating the lookup wherever its result is used.
 *
 * @param isTaken whether a name is taken, as `(select true …) is not null`: PostgreSQL may answer `exists` by reading the
 * whole table into a hash. Others must be kept from taking the same name meanwhile
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
