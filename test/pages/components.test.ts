import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

test('the page of components exists in development only', async () => {
  const visitor = await PageClient.signedIn(box, await box.user('Ada'))
  expect((await visitor.open('/app/-/components')).status).toBe(404)
})
