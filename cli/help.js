/** Help: of all commands, and of one. */
import { COMMANDS, COMMON } from './commands.js'
import { program, programWith } from './support/program.js'

/** @param {[string, string][]} rows */
const table = (rows) => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}

/**
 * How a command is called, in one line.
 *
 * @param {import('./commands.js').Command} command
 */
export function usageOf({ name, usage, takes = [], options }) {
  if (usage) return `signalbox ${usage}`
  const required = Object.entries(options).filter(([, option]) => option.required)
  const flags = required.map(([flag, { value }]) => `--${flag} ${value}`)
  const optional = Object.keys(options).length > required.length ? ['[options]'] : []
  return ['signalbox', name, ...takes, ...flags, ...optional].join(' ')
}

/**
 * @param {[string, import('./commands.js').Option]} entry
 * @returns {[string, string]}
 */
function optionRow([flag, { value, about, choices, fallback }]) {
  const notes = [choices && `: ${choices.join(', ')}`, fallback && ` (default: ${fallback})`].filter(Boolean)
  return [`--${flag}${value ? ` ${value}` : ''}`, `${about}${notes.join('')}`]
}

/** Programs with this name that public registries have are not ours. */
const MEANING = `signalbox stands for ${program()}: the service hands it out.`

/** @param {import('./commands.js').Command} command */
export function commandHelp(command) {
  const { name, summary, about, options, exit, examples = [], script } = command
  const parts = [
    usageOf(command),
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.${about ? `\n\n${about}` : ''}`,
    table(Object.entries({ ...options, ...COMMON }).map(optionRow)),
    exit && `Exit code: ${exit}.`,
    examples.length > 0 && `Examples:\n${examples.map((example) => `  signalbox ${example}`).join('\n')}`,
    MEANING,
    `In a checkout of Signalbox: npx --yes bun run ${script ?? `cli ${name}`}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

export function help() {
  /** @type {[string, string][]} */
  const rows = COMMANDS.map(({ name, takes = [], summary }) => [[name, ...takes].join(' '), summary])
  return `signalbox COMMAND [options]

The command line of Signalbox, for people, agents and CI jobs.

${table(rows)}

Signs in by SIGNALBOX_TOKEN; in GitHub Actions and GitLab by the ID token of the job, as the account SIGNALBOX_SERVICE_ACCOUNT; else by
the token of signalbox login. SIGNALBOX_URL or --url says where Signalbox is.

Examples:
  signalbox login --url https://signalbox.example.com
  signalbox wait "$(signalbox gate open --project $PROJECT --name "Release review")" && ./deploy.sh
  signalbox listen --project $PROJECT --forward http://localhost:3000/hooks

${MEANING}
${programWith('help COMMAND')} describes a command. In a checkout of Signalbox: npx --yes bun run cli`
}
