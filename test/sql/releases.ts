/** What a release finds and does, step by step. */
import type { Sql } from '../../sql/index.ts'
import { pendingMigrations } from '../../sql/migrate.ts'

/** Applies the migrations whose names sort before this one, as the release does, and nothing else. */
export async function migrateUntil(sql: Sql, name: string): Promise<void> {
  await sql`
    create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz(3) not null default now()
    )
  `
  for (const migration of await pendingMigrations(sql)) {
    if (migration.name >= name) return
    await sql.begin((tx) => tx.unsafe(migration.text))
    await sql`insert into schema_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
  }
}

/** Waits until a release of this database waits for a lock. */
export async function untilReleaseWaits(sql: Sql): Promise<void> {
  for (const end = performance.now() + 15_000; performance.now() < end; ) {
    const waiting = await sql`
      select
      from pg_stat_activity
      where datname = current_database()
        and application_name = 'signalbox release'
        and wait_event_type = 'Lock'
        and wait_event <> 'advisory'
    `
    if (waiting.length > 0) return
  }
  throw new Error('no release waits for a lock')
}
