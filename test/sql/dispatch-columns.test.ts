/** Which columns of dispatches are written when. */
import { expect, test } from 'bun:test'
import { onCitus } from '../support/databases.ts'
import { signalbox } from '../support/signalbox.ts'

/** Dispatches are written by two statements: a new column has to be in both, or to be named here. Columns that one of them leaves to their defaults: what a new dispatch may already be, and what a redelivery has in addition to it. */
const ONLY_NEW = ['status', 'error', 'completed_at']
const ONLY_REDELIVERED = ['redelivery_of', 'made_after_sequence']
/** Columns that are written later, in addition to those of the last attempt. */
const LATER = ['attempt_count', 'superseded_by', 'created_at']

function insertedColumns(text: string, table: string): string[][] {
  const lists = [...text.matchAll(new RegExp(`insert into ${table} \\(([^)]+)\\)`, 'g'))]
  return lists.map(([, list = '']) => list.split(',').map((column) => column.trim()))
}

test('new dispatches and redeliveries have the same columns', async () => {
  const box = await signalbox({ workers: 0 })
  const [{ source }] = await box.sql<
    [{ source: string }]
  >`select prosrc as source from pg_proc where proname = 'redeliver_dispatches'`
  const columns = await box.sql<{ name: string }[]>`
    select column_name as name
    from information_schema.columns
    where table_schema = 'public' and table_name = 'dispatches' and column_name not like 'last\_%'
  `
  const create = await Bun.file(`${import.meta.dir}/../../core/dispatches/create.ts`).text()

  const [created = []] = insertedColumns(create, 'dispatches')
  const [redelivered = []] = insertedColumns(source, 'dispatches')
  expect([...created, ...ONLY_REDELIVERED].sort()).toEqual([...redelivered, ...ONLY_NEW].sort())
  expect([...created, ...ONLY_REDELIVERED, ...LATER].sort()).toEqual(columns.map(({ name }) => name).sort())
  await box.close()
})

// On a cluster the rows are on other servers.
test.skipIf(onCitus)('a dispatch is finished in its place, without new entries in its indexes', async () => {
  const box = await signalbox({ workers: 0 })
  const [made] = await box.sql.begin(async (tx) => {
    // Without its hook.
    await tx`set local session_replication_role = replica`
    return tx<{ id: string; partition: string }[]>`
      insert into dispatches (
        organization_id, workspace_id, project_id, hook_id, event_id, event, environment, max_attempts, body
      )
      values (uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7(), 'gate.approved', 'production', 9, '{}')
      returning id, tableoid::regclass::text as partition
    `
  })
  const [updated] = await box.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update dispatches
      set status = 'succeeded', completed_at = now(), attempt_count = 1, last_started_at = now(), last_duration_ms = 5
      where id = ${made?.id ?? ''}
    `
    return tx`select pg_stat_get_xact_tuples_hot_updated(${made?.partition ?? ''}::regclass) as in_place`
  })
  expect(updated).toEqual({ in_place: 1 })
  await box.close()
})
