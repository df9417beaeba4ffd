import { COMMANDS, COMMON } from '../commands.js'
import { wrongUsage } from '../support/failure.js'
import { printResult } from '../support/terminal.js'

/** The first words, and for each of them the second ones. */
const firsts = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')), 'help']

/** @param {string} first */
const secondsOf = (first) =>
  COMMANDS.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1] ?? '')

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

/** @param {import('../commands.js').Command} command */
const flagsOf = ({ options }) => Object.entries({ ...options, ...COMMON })

function bash() {
  const cases = COMMANDS.flatMap((command) => [
    ...flagsOf(command).flatMap(([flag, { choices }]) =>
      choices ? [`    ${quoted(`${command.name} --${flag}`)}) words=${quoted(choices.join(' '))} ;;`] : [],
    ),
    `    ${quoted(`${command.name} `)}*) words=${quoted(
      flagsOf(command)
        .map(([flag]) => `--${flag}`)
        .join(' '),
    )} ;;`,
  ])
  const groups = firsts.filter((first) => secondsOf(first).length > 0)
  return `# Completions of signalbox for bash.
_signalbox() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" name="\${COMP_WORDS[1]}" words=''
  case "$name" in ${groups.join('|')}) [ "$COMP_CWORD" -gt 2 ] && name="$name \${COMP_WORDS[2]}" ;; esac
  case "$COMP_CWORD $name" in
    '1 '*) words=${quoted(firsts.join(' '))} ;;
${groups.map((first) => `    '2 ${first}') words=${quoted(secondsOf(first).join(' '))} ;;`).join('\n')}
  esac
  [ -n "$words" ] || case "$name $previous" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _signalbox signalbox`
}

function zsh() {
  /** @param {import('../commands.js').Command} command */
  const spec = (command) =>
    flagsOf(command)
      .map(([flag, { value, about, choices }]) => {
        const said = about.replaceAll(/[[\]:]/g, ' ')
        return quoted(`--${flag}[${said}]${value ? `:${value}:${choices ? `(${choices.join(' ')})` : '_files'}` : ''}`)
      })
      .join(' ')
  const rows = COMMANDS.map((command) => `    ${quoted(command.name)}) _arguments ${spec(command)} ;;`)
  const groups = firsts.filter((first) => secondsOf(first).length > 0)
  return `#compdef signalbox
# Completions of signalbox for zsh.
_signalbox() {
  local name="\${words[2]}"
  if (( CURRENT == 2 )); then compadd ${firsts.join(' ')}; return; fi
${groups.map((first) => `  if [[ $name == ${first} ]]; then\n    if (( CURRENT == 3 )); then compadd ${secondsOf(first).join(' ')}; return; fi\n    name="$name \${words[3]}"\n  fi`).join('\n')}
  case "$name" in
${rows.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_signalbox" ]; then _signalbox "$@"; else compdef _signalbox signalbox; fi`
}

function fish() {
  const summaries = COMMANDS.filter(({ name }) => !name.includes(' '))
  const rows = [
    ...summaries.map(({ name, summary }) => `complete -c signalbox -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`),
    ...firsts
      .filter((first) => secondsOf(first).length > 0)
      .flatMap((first) => [
        `complete -c signalbox -n __fish_use_subcommand -a ${first}`,
        `complete -c signalbox -n '__fish_seen_subcommand_from ${first}' -a ${quoted(secondsOf(first).join(' '))}`,
      ]),
    ...COMMANDS.flatMap((command) => {
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
export async function run({ args: [shell = ''] }) {
  const script = SHELLS.get(shell)
  if (!script) throw wrongUsage(`There are completions for ${[...SHELLS.keys()].join(', ')}.`)
  printResult(script())
}
