/** Dispatches are written by two statements: a new column has to be in both, or to be named here. */
import { expect, test } from 'bun:test'
import { signalbox } from '../support/signalbox.ts'

/** Columns that one of them leaves to their defaults: what a new dispatch may already be, and what a redelivery has beside it. */
const ONLY_NEW = ['status', 'error', 'completed_at']
const ONLY_REDELIVERED = ['redelivery_of', 'made_after_sequence']
/** Columns that are written later, beside those of the last attempt. */
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
