import { describe, expect, test } from 'bun:test'
import { evidenceOf, isRunning, type Parts } from '../../worker/github/evidence.ts'

const APP = 7

const run = {
  name: 'Deploy',
  event: 'push',
  html_url: 'https://github.com/acme/shop/actions/runs/1',
  head_repository: { id: 74 },
  repository: { id: 74 },
  head_commit: { message: 'Pay by invoice\n\nLong text.' },
}

const parts = (given: Partial<Parts> = {}): Parts => ({
  run,
  check_runs: [],
  statuses: [],
  jobs: [],
  pulls: [],
  comparison: undefined,
  ...given,
})

const told = { ref: 'refs/heads/main', asked_by: [{ id: 1, login: 'octocat' }], unreadable: {} }
const of = (given: Partial<Parts>, more = {}) => evidenceOf(parts(given), { ...told, ...more }, APP)

const check = (id: number, conclusion: string | null, more = {}) => ({
  id,
  name: `check ${id}`,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
  html_url: `https://github.com/acme/shop/runs/${id}`,
  app: { id: 1 },
  ...more,
})

describe('The evidence of a gate', () => {
  test('takes success and neutral as passed, leaves out what was skipped, and lists failed checks first', () => {
    const { checks } = of({
      check_runs: [
        check(1, 'success'),
        check(2, 'neutral'),
        check(3, 'skipped'),
        check(4, null),
        check(5, 'timed_out'),
        check(6, 'cancelled'),
      ],
    })
    expect(checks.map(({ name, state, detail }) => [name, state, detail])).toEqual([
      ['check 5', 'failed', 'timed_out'],
      ['check 6', 'failed', 'cancelled'],
      ['check 4', 'skipped', 'still running'],
      ['check 1', 'passed', null],
      ['check 2', 'passed', null],
    ])
  })

  test('takes commit statuses but those of Signalbox, and check runs but our own and unfinished jobs of the run', () => {
    const evidence = of({
      check_runs: [check(1, 'success'), check(2, 'failure', { app: { id: APP } }), check(3, null)],
      jobs: [{ id: 3, status: 'waiting' }],
      statuses: [
        { context: 'ci/unit', state: 'success', target_url: 'https://ci.example.com/1' },
        { context: 'ci/slow', state: 'pending' },
        { context: 'ci/lint', state: 'error', description: 'It crashed.' },
        { context: 'signalbox/production', state: 'pending' },
      ],
    })
    expect(evidence.checks.map(({ name, state, detail }) => [name, state, detail])).toEqual([
      ['ci/lint', 'failed', 'It crashed.'],
      ['ci/slow', 'skipped', 'still running'],
      ['check 1', 'passed', null],
      ['ci/unit', 'passed', null],
    ])
    expect(isRunning(evidence)).toBe(true)
  })

  test('has a failed check for the commit of a fork, and for a run of a pull request', () => {
    const { checks } = of({ run: { ...run, event: 'pull_request', head_repository: { id: 75 } } })
    expect(checks.map(({ state, detail }) => [state, detail])).toEqual([
      ['failed', 'The commit comes from a fork.'],
      ['failed', 'A run of a pull request checks out a merge with its base, and not this commit.'],
    ])
  })

  test('has at most 50 checks, the failed ones among them, and says how many are left out', () => {
    const check_runs = Array.from({ length: 60 }, (_, index) => check(index + 1, index === 59 ? 'failure' : 'success'))
    const { checks, summary } = of({ check_runs })
    expect(checks).toHaveLength(50)
    expect(checks[0]).toMatchObject({ name: 'check 60', state: 'failed' })
    expect(summary).toContain('10 more checks')
  })

  test('compares with what runs: commits, files and lines, and the titles of the commits as text', () => {
    const { metrics, links, summary } = of({
      comparison: {
        html_url: 'https://github.com/acme/shop/compare/a...b',
        total_commits: 2,
        commits: [{ commit: { message: 'First <b>change</b>' } }, { commit: { message: 'Second\nbody' } }],
        files: [
          { additions: 3, deletions: 1 },
          { additions: 4, deletions: 0 },
        ],
      },
      pulls: [{ number: 12, title: 'Invoices', html_url: 'https://github.com/acme/shop/pull/12' }],
    })
    expect(metrics).toEqual({ commits: 2, files_changed: 2, lines_added: 7, lines_removed: 1 })
    expect(links.map(({ label }) => label)).toEqual(['Workflow run', '#12 Invoices', 'What changes'])
    expect(summary).toBe('refs/heads/main, asked for by octocat\n\n- Second\n- First <b>change</b>')
  })

  test('counts no lines of 300 files or more: GitHub lists no others', () => {
    const files = Array.from({ length: 300 }, () => ({ additions: 1, deletions: 1 }))
    const { metrics, summary } = of({ comparison: { total_commits: 1, commits: [], files } })
    expect(metrics).toEqual({ commits: 1, files_changed: 300 })
    expect(summary).toContain('GitHub lists 300 changed files; there may be more.')
  })

  test('takes no address that is none, and says what could not be read', () => {
    const { checks, links, summary } = of(
      {
        run: { ...run, html_url: 'javascript:alert(1)' },
        check_runs: [check(1, 'success', { html_url: 'javascript:alert(1)', details_url: null })],
        pulls: null,
      },
      { unreadable: { pulls: 'GitHub answered 403.' } },
    )
    expect(checks[0]?.url).toBeNull()
    expect(links).toEqual([])
    expect(summary).toContain('Not readable: pull requests. GitHub answered 403.')
  })
})
