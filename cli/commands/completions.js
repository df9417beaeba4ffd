import { wrongUsage } from '../support/failure.js'
import { printResult } from '../support/terminal.js'

/** @typedef {import('../commands.js').Command} Command */

/** The first words of commands. @param {Command[]} commands */
const firstsOf = (commands) => [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')), 'help']

/** The words that follow a first one. @param {Command[]} commands @param {string} first */
const secondsOf = (commands, first) =>
  commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1] ?? '')

/** The first words that others follow. @param {Command[]} commands */
const groupsOf = (commands) => firstsOf(commands).filter((first) => secondsOf(commands, first).length > 0)

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** @param {Command} command */
const flagsOf = ({ options }) => Object.entries(options)

/** @param {Command[]} commands */
function bash(commands) {
  const [firsts, groups] = [firstsOf(commands), groupsOf(commands)]
  const cases = commands.flatMap((command) => [
    ...flagsOf(command).flatMap(([flag, { choices }]) =>
      choices ? [`    ${quoted(`${command.name} --${flag}`)}) words=${quoted(choices.join(' '))} ;;`] : [],
    ),
    `    ${quoted(`${command.name} `)}*) words=${quoted(
      flagsOf(command)
        .map(([flag]) => `--${flag}`)
        .join(' '),
    )} ;;`,
  ])
  return `# Completions of signalbox for bash.
_signalbox() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" name="\${COMP_WORDS[1]}" words=''
  case "$name" in ${groups.join('|')}) [ "$COMP_CWORD" -gt 2 ] && name="$name \${COMP_WORDS[2]}" ;; esac
  case "$COMP_CWORD $name" in
    '1 '*) words=${quoted(firsts.join(' '))} ;;
${groups.map((first) => `    '2 ${first}') words=${quoted(secondsOf(commands, first).join(' '))} ;;`).join('\n')}
  esac
  [ -n "$words" ] || case "$name $previous" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _signalbox signalbox`
}

/** @param {Command[]} commands */
function zsh(commands) {
  const [firsts, groups] = [firstsOf(commands), groupsOf(commands)]
  /** @param {Command} command */
  const spec = (command) =>
    flagsOf(command)
      .map(([flag, { value, about, choices }]) => {
        const said = about.replaceAll(/[[\]:]/g, ' ')
        return quoted(`--${flag}[${said}]${value ? `:${value}:${choices ? `(${choices.join(' ')})` : '_files'}` : ''}`)
      })
      .join(' ')
  const rows = commands.map((command) => `    ${quoted(command.name)}) _arguments ${spec(command)} ;;`)
  return `#compdef signalbox
# Completions of signalbox for zsh.
_signalbox() {
  local name="\${words[2]}"
  if (( CURRENT == 2 )); then compadd ${firsts.join(' ')}; return; fi
${groups.map((first) => `  if [[ $name == ${first} ]]; then\n    if (( CURRENT == 3 )); then compadd ${secondsOf(commands, first).join(' ')}; return; fi\n    name="$name \${words[3]}"\n  fi`).join('\n')}
  case "$name" in
${rows.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_signalbox" ]; then _signalbox "$@"; else compdef _signalbox signalbox; fi`
}

/** @param {Command[]} commands */
function fish(commands) {
  const summaries = commands.filter(({ name }) => !name.includes(' '))
  const rows = [
    ...summaries.map(({ name, summary }) => `complete -c signalbox -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`),
    ...groupsOf(commands).flatMap((first) => [
      `complete -c signalbox -n __fish_use_subcommand -a ${first}`,
      `complete -c signalbox -n '__fish_seen_subcommand_from ${first}' -a ${quoted(secondsOf(commands, first).join(' '))}`,
    ]),
    ...commands.flatMap((command) => {
      const seen = command.name
        .split(' ')
        .map((word) => `__fish_seen_subcommand_from ${word}`)
        .join('; and ')
      return flagsOf(command).map(
        ([flag, { value, about, choices }]) =>
          `complete -c signalbox -n ${quoted(seen)} -l ${flag}${value ? ' -r' : ''}${choices ? ` -a ${quoted(choices.join(' '))}` : ''} -d ${quoted(about)}`,
      )
    }),
  ]
  return `# Completions of signalbox for fish.\n${rows.join('\n')}`
}

const SHELLS = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
])

/** @param {import('../main.js').Invocation} invocation */
export async function run({ args: [shell = ''], commands }) {
  const script = SHELLS.get(shell)
  if (!script) throw wrongUsage(`There are completions for ${[...SHELLS.keys()].join(', ')}.`)
  printResult(script(commands))
}
