import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { sealed, write } from './support.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 2 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

test('a call verifies 100,000 entries and returns where to continue', async () => {
  const { id } = await ada.make('/api/v1/organizations', { name: 'Chained' })
  await write(box, id, 100_002)
  await sealed(box, 100_000)
  const verify = async (query = '') => (await ada.get(`/api/v1/organizations/${id}/audit-logs/verify${query}`)).body
  const first = await verify()
  expect(first).toMatchObject({ valid: true, sealed: 100_003, next_seq: 100_000 })
  const rest = await verify(`?after_seq=${first.next_seq}`)
  expect(rest).toMatchObject({ valid: true, head: first.head })
  expect(rest).not.toHaveProperty('next_seq')
}, 400_000)
