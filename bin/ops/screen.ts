/** Formats the figures for a terminal. */
import { out, onTerminal as plain } from '../../cli/support/terminal.js'
import { cut, cutColumn, padEnd, padStart } from './cutting.ts'
import type { Check, Figures, Row, Status } from './figures.ts'

const { dim, strong } = out
const MIN_WIDTH = 80
const MAX_WIDTH = 120

const MARKS: Record<Status, { sign: string; style: 'green' | 'yellow' | 'red' }> = {
  ok: { sign: '✓', style: 'green' },
  warning: { sign: '!', style: 'yellow' },
  critical: { sign: '✗', style: 'red' },
}

const marked = (status: Status, text: string): string => out[MARKS[status].style](text)

/** A duration in its largest fitting unit. */
function span(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

const since = (at: string, now: string): string => span((Date.parse(now) - Date.parse(at)) / 1000)

interface Column {
  title: string
  show: (row: Row) => string
  isNumber?: boolean
}

const text = (title: string, name = title): Column => ({ title, show: (row) => plain(String(row[name] ?? '')) })
const number = (title: string, name = title): Column => ({
  title,
  isNumber: true,
  show: (row) => (Number(row[name] ?? 0) === 0 ? '·' : Number(row[name]).toLocaleString('en')),
})
const seconds = (title: string, name: string): Column => ({
  title,
  isNumber: true,
  show: (row) => (row[name] === null ? '·' : span(Number(row[name]))),
})
const time = (title: string, name: string, now: string): Column => ({
  title,
  isNumber: true,
  show: (row) => (row[name] === null ? '·' : `${since(String(row[name]), now)} ago`),
})

const isEmpty = (cell: string): boolean => cell === '' || cell === '·'

const GAP = 2
/** Columns of text are not cut below this width. */
const MIN_TEXT_WIDTH = 4
/** A column whose cells differ may be this much wider than one with the same text in all rows before it is cut. */
const DIFFERENT_BONUS = 12

/**
 * A table that fits the terminal. If it is too wide, empty columns are left out; then the widest columns of text are cut,
 * first those with the same text in all rows.
 */
function table(columns: Column[], rows: Row[], width: number): string[] {
  const lengthOf = (cells: string[]): number => Math.max(...cells.map((cell) => Bun.stringWidth(cell)))
  const full = columns.map(({ title, show, isNumber }) => ({ title, isNumber, cells: rows.map(show) }))
  const widthOf = (shown: typeof full): number =>
    shown.reduce((sum, { title, cells }) => sum + GAP + lengthOf([title, ...cells]), 0)
  const shown = widthOf(full) <= width ? full : full.filter(({ cells }) => !cells.every(isEmpty))
  const widths = shown.map(({ title, cells }) => lengthOf([title, ...cells]))
  const words = shown.flatMap(({ isNumber }, index) => (isNumber ? [] : [index]))
  const differs = shown.map(({ cells }) => new Set(cells).size > 1)
  const weightOf = (index: number): number => (widths[index] ?? 0) - (differs[index] ? DIFFERENT_BONUS : 0)
  let excess = widthOf(shown) - width
  while (excess > 0) {
    const [widest] = words.filter((index) => (widths[index] ?? 0) > MIN_TEXT_WIDTH).sort((a, b) => weightOf(b) - weightOf(a))
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
    excess -= 1
  }
  const laidOut = shown.map(({ title, cells, isNumber }, index) => {
    const room = widths[index] ?? 0
    return isNumber
      ? [title, ...cells].map((cell) => padStart(cell, room))
      : [cut(title, room), ...cutColumn(cells, room)].map((cell) => padEnd(cell, room))
  })
  return [-1, ...rows.keys()].map((row) => {
    const joined = `  ${laidOut.map((cells) => cells[row + 1] ?? '').join(' '.repeat(GAP))}`.trimEnd()
    return row < 0 ? dim(joined) : joined
  })
}

const INDENT = 14

const wrapped = (words: string, width: number): string[] =>
  Bun.wrapAnsi(words, width - INDENT)
    .split('\n')
    .map((line) => ' '.repeat(INDENT) + line)

function healthLines(checks: Check[], width: number): string[] {
  const bad = checks.filter(({ status, hint }) => status !== 'ok' || hint !== null)
  const good = checks.filter((check) => !bad.includes(check))
  const names = Math.max(0, ...bad.map(({ check }) => check.length))
  const fine = good.map(({ check, detail }) => (check === 'workers' ? `${check} (${detail})` : check)).join(', ')
  return [
    ...bad.flatMap(({ check, status, detail, hint }) => [
      `  ${marked(status, `${MARKS[status].sign} ${status.padEnd(8)}`)}  ${check.padEnd(names)}  ${cut(plain(detail), width - names - 16)}`,
      ...(hint ? wrapped(hint, width).map(dim) : []),
    ]),
    ...(good.length > 0 ? wrapped(fine, width) : []).map((line, index) =>
      index === 0 ? `  ${marked('ok', '✓ ok      ')}  ${line.trimStart()}` : line,
    ),
  ]
}

/**
 * The whole screen: health first, then the tables behind it. Empty tables are left out.
 *
 * @param columns width of the terminal
 */
export function screen(figures: Figures, columns = 100): string {
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns))
  const { at, status } = figures
  const section = (title: string, rows: Row[], shown: Column[]): string[] =>
    rows.length === 0 ? [] : ['', strong(title), ...table(shown, rows, width)]
  const failing = (name: 'hook' | 'channel', within: 'project' | 'workspace'): Column[] => [
    text(name),
    text(within),
    text('tenant', 'organization'),
    number('pending'),
    number('failures'),
    time('failing since', 'failing_since', at),
    text('last error', 'last_error'),
    text('disabled because', 'disabled_reason'),
  ]
  return [
    `${strong('Health')}  ${marked(status, status)}  ${dim(at)}`,
    ...healthLines(figures.health, width),
    ...section('Queues', figures.queues, [
      { title: 'task', show: (row) => `${row.task}${row.paused ? ' (paused)' : ''}` },
      text('what', 'kind'),
      { ...number('ready'), show: (row) => `${row.estimated ? '≈ ' : ''}${number('ready').show(row)}` },
      number('running'),
      number('retrying'),
      number('scheduled'),
      number('failed'),
      seconds('oldest waits', 'oldest_ready_seconds'),
    ]),
    ...section('Workers', figures.workers, [
      text('host', 'hostname'),
      { title: 'pid', isNumber: true, show: (row) => String(row.pid) },
      text('status'),
      number('jobs'),
      number('hooks'),
      number('channels'),
      time('started', 'started_at', at),
      time('last heartbeat', 'seen_at', at),
    ]),
    ...section('Failing hooks', figures.failing_hooks, failing('hook', 'project')),
    ...section('Failing channels', figures.failing_channels, failing('channel', 'workspace')),
    ...section('Tenants', figures.tenants, [
      {
        title: 'tenant',
        show: (row) => `${plain(String(row.organization ?? row.organization_id))}${row.paused ? ' (paused)' : ''}`,
      },
      number('jobs', 'jobs_ready'),
      number('running', 'jobs_running'),
      number('events'),
      number('dispatches', 'dispatches_due'),
      number('messages', 'messages_due'),
      number('failed'),
      seconds('oldest waits', 'oldest_due_seconds'),
    ]),
    ...section('Failed permanently', figures.failed, [
      { ...text('id', 'short_id'), isNumber: true },
      text('task'),
      text('tenant', 'organization'),
      text('destination'),
      time('when', 'failed_at', at),
      number('tries', 'attempts'),
      text('error'),
    ]),
    ...section('Paused', figures.paused, [
      // In the form that ops.resume accepts.
      { title: 'flag', show: (row) => plain(row.organization ? `org:${row.organization}` : String(row.flag)) },
      text('why', 'reason'),
      time('paused', 'paused_at', at),
      text('until'),
      text('by', 'paused_by'),
    ]),
    '',
  ].join('\n')
}
