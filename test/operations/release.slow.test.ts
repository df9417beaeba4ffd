import { expect, test } from 'bun:test'
import { connect } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { freshDatabase } from '../support/server.ts'

test('releases recreate the views while others read them, and neither fails', async () => {
  const url = await freshDatabase()
  const sql = connect(url, 'signalbox test', 4)
  let releasing = true
  const reading = Array.from({ length: 4 }, async () => {
    let reads = 0
    for (; releasing; reads++) await sql`select count(*) from ops.health`
    return reads
  })
  for (const _ of ['first', 'second', 'third']) await migrate(url)
  releasing = false
  for (const reads of await Promise.all(reading)) expect(reads).toBeGreaterThan(0)
  await sql.end({ timeout: 1 })
})
