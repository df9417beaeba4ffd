/** Finds the command, reads its options, runs it, and prints what went wrong. */
import { parseArgs } from 'node:util'
import { COMMANDS, COMMON } from './commands.js'
import { Failure, wrongUsage } from './support/failure.js'
import { programWith } from './support/program.js'

/**
 * What a command is called with.
 *
 * @typedef {object} Invocation
 * @property {Record<string, string>} options those that were given or have a default
 * @property {string[]} args
 * @property {string[]} after what follows `--`
 * @property {boolean} json
 * @property {string} url of the service
 * @property {() => Promise<import('./support/api.js').Api>} api
 * @property {import('./commands.js').Command[]} commands all of them, with the options that each has
 */

/** The exit code of a failure, unless the command says otherwise. */
const FAILED = 1

/**
 * @param {string[]} argv
 * @returns {{ command: import('./commands.js').Command, rest: string[] }}
 */
function findCommand(argv) {
  for (const words of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === argv.slice(0, words).join(' '))
    if (command) return { command, rest: argv.slice(words) }
  }
  const [word = ''] = argv
  const inGroup = COMMANDS.filter(({ name }) => name.startsWith(`${word} `)).map(({ name }) => name)
  const similar = inGroup.length > 0 ? inGroup : COMMANDS.map(({ name }) => name).filter((name) => distance(name, word) < 3)
  throw new Failure(`There is no command "${argv.slice(0, inGroup.length > 0 ? 2 : 1).join(' ')}".`, {
    code: 'usage',
    next: `${similar.length > 0 ? `Did you mean ${similar.join(' or ')}? ` : ''}All commands: ${programWith('help')}`,
  })
}

/**
 * How many letters differ (Levenshtein).
 *
 * @param {string} a
 * @param {string} b
 */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length] ?? 0
}

/**
 * @param {import('./commands.js').Command} command
 * @param {string[]} given
 * @returns {Promise<Invocation>}
 */
async function readInvocation({ options: known, takes = [], usage }, given) {
  const end = given.indexOf('--')
  const after = end === -1 ? [] : given.slice(end + 1)
  const all = { ...known, ...COMMON }
  const spec = Object.fromEntries(
    Object.entries(all).map(([name, { type, fallback }]) => [
      name,
      { type, ...(fallback !== undefined && { default: fallback }) },
    ]),
  )
  const { values, positionals } = parse(end === -1 ? given : given.slice(0, end), spec)
  const { json, help: _, url: givenUrl, ...options } = values
  for (const [name, { required, choices }] of Object.entries(known)) {
    const value = options[name]
    if (required && !value) throw wrongUsage(`--${name} is required.`)
    if (choices && value !== undefined && !choices.includes(String(value)))
      throw wrongUsage(`--${name} must be ${choices.join(' or ')}.`)
  }
  const needed = takes.filter((each) => !each.startsWith('['))
  if (positionals.length < needed.length) throw wrongUsage(`${needed[positionals.length]} is missing.`)
  if (positionals.length > takes.length) throw wrongUsage(`"${positionals[takes.length]}" is one argument too many.`)
  if (after.length > 0 && !usage?.includes(' -- ')) throw wrongUsage('Nothing may follow --.')
  const { serviceUrl } = await import('./support/config.js')
  const url = serviceUrl(givenUrl === undefined ? undefined : String(givenUrl))
  const api = async () => {
    const [{ apiClient }, { credentialsFor }] = await Promise.all([
      import('./support/api.js'),
      import('./support/credentials.js'),
    ])
    return apiClient(url, await credentialsFor(url, values.token === undefined ? undefined : String(values.token)))
  }
  return {
    options: /** @type {Record<string, string>} */ (options),
    args: positionals,
    after,
    json: json === true,
    url,
    api,
    commands: COMMANDS.map((command) => ({ ...command, options: { ...command.options, ...COMMON } })),
  }
}

/**
 * @param {string[]} args
 * @param {import('node:util').ParseArgsOptionsConfig} options
 */
function parse(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw wrongUsage(/** @type {Error} */ (error).message)
  }
}

/**
 * @param {unknown} error
 * @param {import('./commands.js').Command | undefined} command
 * @param {boolean} json
 */
async function printFailure(error, command, json) {
  const { err, printProgress, jsonOnTerminal } = await import('./support/terminal.js')
  const { usageOf } = await import('./help.js')
  if (!(error instanceof Failure)) return printProgress(`This is a mistake in signalbox: ${/** @type {Error} */ (error).stack}`)
  const { message, code, status, usage } = error
  const next = usage && command ? `${usageOf(command)}\nMore: ${programWith(`help ${command.name}`)}` : error.next
  if (json) return printProgress(jsonOnTerminal({ error: { code: usage ? 'usage' : (code ?? 'failed'), status, message, next } }))
  printProgress(`${err.red('✗')} ${message}`)
  if (next) printProgress(next.replaceAll(/^/gm, '  '))
}

/**
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
export async function main(argv) {
  const [first = 'help'] = argv
  const before = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  const asksHelp = first === 'help' || before.includes('--help') || before.includes('-h')
  const words = first === 'help' ? argv.slice(1) : argv
  const named = words.filter((word) => !word.startsWith('-'))
  /** @type {import('./commands.js').Command | undefined} */
  let command
  try {
    if (first === '--version') {
      const { version } = await import('./support/version.js')
      process.stdout.write(`${version}\n`)
      return 0
    }
    if (asksHelp) {
      const { help, commandHelp } = await import('./help.js')
      process.stdout.write(`${named.length > 0 ? commandHelp(findCommand(named).command) : help()}\n`)
      return 0
    }
    const found = findCommand(argv)
    command = found.command
    const invocation = await readInvocation(command, found.rest)
    const { run } = await command.load()
    return (await run(invocation)) ?? 0
  } catch (error) {
    await printFailure(error, command, before.includes('--json'))
    return command?.failed ?? FAILED
  }
}
