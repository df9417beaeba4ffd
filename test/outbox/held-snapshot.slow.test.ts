/** A session that holds its snapshot, so that dead rows cannot be removed. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from '../../sql/index.ts'
import { Receiver } from '../support/receiver.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box
const receiver = new Receiver()

beforeAll(async () => {
  box = await signalbox({ own: true })
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

test('while dead rows of lanes cannot be removed, every dispatch is sent once, and the log says when that begins and ends', async () => {
  const ada = await box.user('Ada Lovelace')
  const { project } = await box.site(ada)
  await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: receiver.url,
    trigger_on: 'gate_approved',
  })
  const execution = await box.running(ada, project.id)
  const logged = (text: string) => box.workers[0]?.lines.some((line) => line.includes(text)) ?? false
  const holder = connect(box.url, 'signalbox test', 1)
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = holder.begin('isolation level repeatable read', async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select`
    held.resolve()
    await released.promise
  })
  try {
    await held.promise
    await box.sql`
      do $$
        begin
          for number in 1 .. 11000 loop
            update lanes set error_code = null;
          end loop;
        end
      $$
    `
    await box.until('the worker has noticed', async () => {
      await box.sql`vacuum lanes`
      return logged('dead rows of lanes cannot be removed')
    })
    for (let count = 1; count <= 5; count++) await box.approval(ada, execution.id)
    await receiver.waitFor(5)
    await box.settled()
    // Several are in flight at the same time.
    const sequences = receiver.requests.map(({ headers }) => headers['x-signalbox-sequence'])
    expect(sequences.toSorted()).toEqual(['1', '2', '3', '4', '5'])
  } finally {
    released.resolve()
    await holding
    await holder.end()
  }
  await box.sql`vacuum lanes`
  await box.until('the worker has noticed the vacuum', async () => logged('dead rows of lanes were removed'))
})
