import { expect, test } from 'bun:test'
import { COMMANDS } from '../../cli/commands.js'
import { commandHelp } from '../../cli/help.js'

test('the help of every command has examples of that command, and names all of its options', () => {
  for (const command of COMMANDS) {
    const help = commandHelp(command)
    expect(command.examples?.length).toBeGreaterThan(0)
    for (const example of command.examples ?? []) expect(example).toStartWith(command.name)
    for (const name of Object.keys(command.options))
      expect([command.name, help]).toEqual([command.name, expect.stringContaining(`--${name}`)])
  }
})
