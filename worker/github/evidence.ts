/** What GitHub knows about a commit, as the evidence of a gate: pure functions of what was read. */
import type { Evidence } from '../../core/gates/gates.ts'
import type { GitHubPerson } from '../../core/gates/sources.ts'
import { addressOf, objectsIn, type Sent } from '../../core/github/sent.ts'
import { isObject } from '../../core/values/json.ts'
import { line } from '../../core/values/plain-text.ts'

type Check = Evidence['checks'][number]

/** What was read of each part; null where that was not possible. */
export interface Parts {
  run: Sent
  check_runs: Sent[] | null
  statuses: Sent[] | null
  /** Of the run. */
  jobs: Sent[] | null
  pulls: Sent[] | null
  /** With what runs in the environment; undefined if nothing of the repository is known to run there. */
  comparison: Sent | null | undefined
}

const MAX_CHECKS = 50
const MAX_NAME = 200
const MAX_URL = 500
const MAX_PULLS = 10
const MAX_TITLES = 20
/** GitHub lists no more files of a comparison. */
const MAX_FILES = 300

const urlFor = (value: unknown): string | null => addressOf(value, MAX_URL)

const nameOf = (name: unknown): string => line(typeof name === 'string' ? name : '', MAX_NAME) || 'unnamed'

const PASSED = ['success', 'neutral']

function ofCheckRun({ name, status, conclusion, html_url, details_url }: Sent): Check | null {
  if (conclusion === 'skipped') return null
  const check = { name: nameOf(name), url: urlFor(html_url) ?? urlFor(details_url) }
  if (status !== 'completed') return { ...check, state: 'skipped', detail: RUNNING }
  const isPassed = PASSED.includes(conclusion)
  return { ...check, state: isPassed ? 'passed' : 'failed', detail: isPassed ? null : line(conclusion ?? 'no conclusion', 100) }
}

function ofStatus({ context, state, target_url, description }: Sent): Check {
  const check = { name: nameOf(context), url: urlFor(target_url) }
  if (state === 'pending') return { ...check, state: 'skipped', detail: RUNNING }
  const detail = typeof description === 'string' && description !== '' ? line(description, 200) : null
  return { ...check, state: state === 'success' ? 'passed' : 'failed', detail }
}

const RUNNING = 'still running'

const ORDER: Record<Check['state'], number> = { failed: 0, skipped: 1, passed: 2 }

const failed = (name: string, detail: string, url: string | null): Check => ({ name, state: 'failed', url, detail })

/** What makes the run itself untrustworthy: it does not check out what people reviewed. */
function ofRun({ event, head_repository, repository, html_url }: Sent): Check[] {
  const url = urlFor(html_url)
  const isFork = isObject(head_repository) && isObject(repository) && head_repository.id !== repository.id
  return [
    ...(isFork ? [failed('Commit of this repository', 'The commit comes from a fork.', url)] : []),
    ...(event === 'pull_request'
      ? [failed('Commit as it is', 'A run of a pull request checks out a merge with its base, and not this commit.', url)]
      : []),
  ]
}

/** The checks of a commit, failed ones first. @param app_id ours, whose own checks say nothing */
function checksOf({ run, check_runs, statuses, jobs }: Parts, app_id: number): Check[] {
  const unfinished = new Set((jobs ?? []).flatMap(({ id, status }) => (status === 'completed' ? [] : id)))
  const runs = (check_runs ?? []).filter(({ id, app }) => !unfinished.has(id) && !(isObject(app) && app.id === app_id))
  const others = (statuses ?? []).filter(({ context }) => !(typeof context === 'string' && context.startsWith(OWN_CONTEXT)))
  const checks = [...ofRun(run), ...runs.flatMap((each) => ofCheckRun(each) ?? []), ...others.map(ofStatus)]
  return checks.sort((one, other) => ORDER[one.state] - ORDER[other.state])
}

/** What our own commit statuses begin with. */
const OWN_CONTEXT = 'signalbox/'

/** Whether checks still run, of which another look may say more. */
export const isRunning = ({ checks }: Evidence): boolean => checks.some(({ detail }) => detail === RUNNING)

function metricsOf(comparison: Sent | null | undefined): Record<string, number> {
  if (!comparison) return {}
  const files = objectsIn(comparison.files)
  const sum = (field: string) => files.reduce((total, file) => total + (Number.isSafeInteger(file[field]) ? file[field] : 0), 0)
  return {
    ...(Number.isSafeInteger(comparison.total_commits) ? { commits: comparison.total_commits } : {}),
    files_changed: files.length,
    ...(files.length < MAX_FILES ? { lines_added: sum('additions'), lines_removed: sum('deletions') } : {}),
  }
}

function linksOf({ run, pulls, comparison }: Parts): Evidence['links'] {
  const link = (label: string, url: unknown) => {
    const href = urlFor(url)
    return href === null ? [] : [{ label, url: href }]
  }
  return [
    ...link('Workflow run', run.html_url),
    ...(pulls ?? [])
      .slice(0, MAX_PULLS)
      .flatMap(({ number, title, html_url }) => link(line(`#${number} ${title ?? ''}`, MAX_NAME), html_url)),
    ...(comparison ? link('What changes', comparison.html_url) : []),
  ]
}

const firstLine = (text: unknown): string => line(String(text ?? '').split('\n')[0], 200)

/** The titles of the commits that the comparison has, newest first, as text. */
function titlesOf(comparison: Sent | null | undefined, run: Sent): string[] {
  const messages = comparison
    ? objectsIn(comparison.commits)
        .map(({ commit }) => commit?.message)
        .reverse()
    : [run.head_commit?.message]
  return messages.map(firstLine).filter((title) => title !== '')
}

const NAMES: [part: keyof Parts, name: string][] = [
  ['check_runs', 'check runs'],
  ['statuses', 'commit statuses'],
  ['jobs', 'jobs of the run'],
  ['pulls', 'pull requests'],
  ['comparison', 'comparison with what runs there'],
]

/** What stands beside the parts in a summary. */
interface Context {
  ref: string
  asked_by: GitHubPerson[]
  /** Why parts are missing, by part. */
  unreadable: Partial<Record<keyof Parts, string>>
}

function summaryOf(parts: Parts, { ref, asked_by, unreadable }: Context, hidden: number): string {
  const titles = titlesOf(parts.comparison, parts.run)
  const files = objectsIn(parts.comparison?.files).length
  const more = titles.length - MAX_TITLES
  const notes = [
    ...(hidden > 0 ? [`${hidden} more checks, which passed or run, are left out.`] : []),
    ...(files >= MAX_FILES ? [`GitHub lists ${MAX_FILES} changed files; there may be more.`] : []),
    ...NAMES.flatMap(([part, name]) => (unreadable[part] === undefined ? [] : `Not readable: ${name}. ${unreadable[part]}`)),
  ]
  const logins = asked_by.map(({ login }) => login).join(', ')
  return [
    `${line(ref, 200)}${logins === '' ? '' : `, asked for by ${logins}`}`,
    ...(titles.length > 0
      ? [
          titles
            .slice(0, MAX_TITLES)
            .map((title) => `- ${title}`)
            .join('\n'),
        ]
      : []),
    ...(more > 0 ? [`and ${more} more commits`] : []),
    ...notes,
  ].join('\n\n')
}

/** The evidence of a gate. @param app_id the id of our app */
export function evidenceOf(parts: Parts, context: Context, app_id: number): Evidence {
  const checks = checksOf(parts, app_id)
  return {
    summary: summaryOf(parts, context, Math.max(0, checks.length - MAX_CHECKS)),
    metrics: metricsOf(parts.comparison),
    checks: checks.slice(0, MAX_CHECKS),
    links: linksOf(parts),
    artifacts: [],
  }
}
