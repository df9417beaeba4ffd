/** Transactions with pipelined statements. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { afterCommit, pipeline, runTransaction, savepoint } from '../../sql/transaction.ts'
import { freshDatabase } from '../support/server.ts'

let sql: Sql

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'test', 2)
  await sql`create table numbers (id integer primary key, value integer not null)`
  await sql`insert into numbers values (1, 0), (2, 0)`
})
afterAll(() => sql.end())

test('a later statement fails with the error of the pipelined one', async () => {
  const failing = runTransaction(sql, async (tx) => {
    await pipeline(tx, tx`insert into numbers values (1, 1)`)
    await tx`select 1`
  })
  await expect(failing).rejects.toMatchObject({ code: '23505' })
})

test('a deadlock of a pipelined statement is tried again', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let tries = 0
  const add = async (from: number, to: number, mine: () => void, other: Promise<void>) =>
    runTransaction(sql, async (tx) => {
      tries += 1
      await tx`update numbers set value = value + 1 where id = ${from}`
      mine()
      await other
      await pipeline(tx, tx`update numbers set value = value + 1 where id = ${to}`)
      await tx`select 1`
    })
  await Promise.all([add(1, 2, first.resolve, second.promise), add(2, 1, second.resolve, first.promise)])
  expect(tries).toBe(3)
  expect([...(await sql`select value from numbers order by id`)]).toEqual([{ value: 2 }, { value: 2 }])
})

test('what a savepoint wants to do after the commit is dropped when it fails', async () => {
  const called: string[] = []
  await runTransaction(sql, async (tx) => {
    await savepoint(tx, async (inner) => void afterCommit(inner, () => called.push('kept')))
    const failing = savepoint(tx, async (inner) => {
      afterCommit(inner, () => called.push('dropped'))
      await inner`select 1 / 0`
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(called).toEqual([])
  })
  expect(called).toEqual(['kept'])
})
