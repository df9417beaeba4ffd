/** Quotas: how often something may happen to a subject within a time. They are counted in the database, exactly and over all processes. */
import { createHash } from 'node:crypto'
import type { Fragment, Queryable } from '../../sql/index.ts'

export type Quota = { most: number; seconds: number }

const digestOf = (subject: string): Buffer => createHash('sha256').update(subject).digest()

/** The moments of `recent_uses as recent` that are within the time of a quota. */
const live = (db: Queryable, { seconds }: Quota): Fragment => db`
  select moment from unnest(recent.moments) as moment where moment > now() - ${seconds} * interval '1 second'
`

/**
 * Uses a quota once. In a transaction, other uses of the same subject wait for its end, and a rollback returns the use.
 *
 * @param subject what the quota applies to, with the name of the quota
 * @returns null; if the quota is used up, the seconds until the next use is allowed
 */
export async function useQuota(db: Queryable, subject: string, quota: Quota): Promise<number | null> {
  const { most, seconds } = quota
  const digest = digestOf(subject)
  const [used] = await db`
    -- Each use deletes up to two rows that have served their time, so that the table cannot grow by more than a flood of one window.
    with forgotten as (
      delete from recent_uses
      where subject in (
        select subject
        from recent_uses
        where forget_at < now()
          and subject <> ${digest}
        order by forget_at
        limit 2
        for update skip locked
      )
    )
    insert into recent_uses as recent (subject, moments, forget_at)
    values (${digest}, array[now()::timestamptz(3)], now() + ${seconds} * interval '1 second')
    on conflict (subject) do update
      set moments = array(${live(db, quota)} order by moment) || excluded.moments, forget_at = excluded.forget_at
      where (select count(*) from (${live(db, quota)}) as earlier) < ${most}
    returning subject
  `
  if (used) return null
  const [{ wait }] = await db<[{ wait: number | null }]>`
    select ceil(extract(epoch from min(moment) - now()) + ${seconds}) as wait
    from recent_uses as recent
    cross join lateral (${live(db, quota)}) as earlier
    where subject = ${digest}
  `
  return Math.max(1, wait ?? 1)
}

/** Returns the latest use of a quota. */
export async function returnUse(db: Queryable, subject: string): Promise<void> {
  await db`
    update recent_uses
    set moments = trim_array(moments, 1)
    where subject = ${digestOf(subject)}
      and cardinality(moments) > 0
  `
}

export async function clearUses(db: Queryable, subjects: string[]): Promise<void> {
  await db`
    delete from recent_uses
    where subject in (select sha256(convert_to(subject, 'UTF8')) from unnest(${subjects}::text[]) as subject)
  `
}
