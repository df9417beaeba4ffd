/** When a pool gives up its statements. A real server that stops responding is in test/operations/unavailable.slow.test.ts. */
import { expect, test } from 'bun:test'
import { watch } from '../../sql/unresponsive.ts'

class FakeConnection {
  packets = 0
  waits = false
  dropped = 0
  isWaiting = (): boolean => this.waits
  drop = (): void => {
    this.dropped += 1
    this.waits = false
  }
}

const silence = (): Promise<boolean> => new Promise(() => {})

function poolOf(count: number, isAlive: () => Promise<boolean> = silence) {
  const connections = Array.from({ length: count }, () => new FakeConnection())
  const tick = watch({ connections, queries: { length: 0, shift: () => ({ reject() {} }) } }, isAlive)
  return { connections, tick, dropped: () => connections.map(({ dropped }) => dropped) }
}

test('a statement fails after six seconds, if the server responds nowhere', () => {
  const { connections, tick, dropped } = poolOf(1)
  for (const connection of connections) connection.waits = true
  for (let second = 1; second < 6; second++) tick()
  expect(dropped()).toEqual([0])
  tick()
  expect(dropped()).toEqual([1])
})

test('a statement that takes long goes on while the server responds elsewhere', async () => {
  const { connections, tick, dropped } = poolOf(1, () => Promise.resolve(true))
  for (const connection of connections) connection.waits = true
  for (let second = 1; second < 20; second++) {
    tick()
    await Promise.resolve()
  }
  expect(dropped()).toEqual([0])
})

test('statements that take a second each, one after another, are no reason to give any up', () => {
  const { connections, tick, dropped } = poolOf(2)
  for (let second = 0; second < 20; second++) {
    for (const [index, connection] of connections.entries()) {
      connection.waits = second % 2 === index
      if (!connection.waits) connection.packets += 1
    }
    tick()
  }
  expect(dropped()).toEqual([0, 0])
})

test('the next statement of a connection that was lost has not waited yet', () => {
  const { connections, tick, dropped } = poolOf(1)
  for (const connection of connections) connection.waits = true
  for (let second = 1; second < 6; second++) tick()
  // As when it is closed, and opened again.
  for (const connection of connections) connection.packets += 1
  for (let second = 1; second < 6; second++) tick()
  expect(dropped()).toEqual([0])
})
