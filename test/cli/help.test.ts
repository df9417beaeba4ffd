import { expect, test } from 'bun:test'
import { COMMANDS } from '../../cli/commands.js'
import { commandHelp } from '../../cli/help.js'
import { TRIGGERS } from '../../core/events/catalogue.ts'

test('the help of every command has examples of that command, and names all of its options', () => {
  for (const command of COMMANDS) {
    const help = commandHelp(command)
    expect(command.examples?.length).toBeGreaterThan(0)
    for (const example of command.examples ?? []) expect(example).toStartWith(command.name)
    for (const name of Object.keys(command.options))
      expect([command.name, help]).toEqual([command.name, expect.stringContaining(`--${name}`)])
  }
})

test('a hook that forwards can have every trigger', () => {
  const [listen] = COMMANDS.filter(({ name }) => name === 'listen')
  expect(listen?.options['trigger-on']?.choices?.toSorted()).toEqual(Object.keys(TRIGGERS).toSorted())
})
