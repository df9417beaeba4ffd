import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ALL_EVENTS } from '../../core/events/catalogue.ts'

/** What the compiler asks for; a spread in a declaration would answer for it. */
const DECISIONS = ['hooks', 'slack', 'notifies']

test('every event says by itself which hooks it triggers, how Slack shows it, and whom it notifies', async () => {
  const folder = join(import.meta.dir, '../../core/events')
  const found: string[] = []
  for await (const path of new Bun.Glob('*.ts').scan(folder)) {
    const text = await Bun.file(join(folder, path)).text()
    for (const [, name = '', declared = ''] of text.matchAll(/^ {2}'([\w.]+)': declare\(\{\n([\s\S]*?)^ {2}\}\),$/gm)) {
      found.push(name)
      const own = [...declared.matchAll(/^ {4}(\w+)\b/gm)].map(([, key]) => key)
      expect([name, DECISIONS.filter((key) => !own.includes(key))]).toEqual([name, []])
    }
  }
  expect(found.toSorted()).toEqual(Object.keys(ALL_EVENTS).toSorted())
})

test('every event has an example with values of its own', () => {
  const without = Object.entries(ALL_EVENTS).filter(([, { sample }]) => Object.keys(sample).length === 0)
  // Its example is made of those of executions and requirements.
  expect(without.map(([name]) => name)).toEqual(['workflow.completed'])
})
