/** The documentation of the settings, made from their list. */
import { SETTINGS } from '../../core/platform/settings.ts'

interface Documented {
  about: string
  fallback?: string
  required?: boolean
}

const settings = Object.entries<Documented>(SETTINGS)

const PAGE_HEAD = `# Settings

Every process reads its settings from environment variables and checks all of them when it starts. An empty variable counts as unset.
\`.env.example\` has the same list, to copy.

`

/** Values that cannot be left as they are. */
const EXAMPLES: Record<string, string> = { DATABASE_URL: 'postgres://signalbox:password@127.0.0.1:5432/signalbox' }

const table = (rows: string[][]): string => rows.map((row) => `| ${row.join(' | ')} |\n`).join('')

function page(): string {
  const rows = settings.map(([name, { about, fallback, required }]) => [
    `\`${name}\``,
    required ? 'required' : fallback ? `\`${fallback}\`` : '',
    about,
  ])
  return PAGE_HEAD + table([['setting', 'default', 'description'], ['---', '---', '---'], ...rows])
}

function environmentExample(): string {
  const entries = settings.map(([name, { about, fallback, required }]) => {
    const value = EXAMPLES[name] ?? fallback ?? ''
    return `# ${about.replaceAll('`', '')}\n${required ? '' : '#'}${name}=${value}\n`
  })
  return `# Every setting. Set those that are not commented out. The others show their default; where that is empty, the comment says what applies.\n\n${entries.join('\n')}`
}

/** The files that document the settings: their paths and their contents. */
export const settingsDocs = (): Record<string, string> => ({ 'docs/settings.md': page(), '.env.example': environmentExample() })
