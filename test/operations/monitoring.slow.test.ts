import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { parse } from 'yaml'
import { find } from '../support/programs.ts'
import { type Box, signalbox } from '../support/signalbox.ts'
import { type Family, readMetrics } from './text-format.ts'

const folder = `${import.meta.dir}/../../docs/monitoring`
const promtool = find('promtool', 'docs/monitoring as promtool reads it')

interface Rule {
  alert: string
  expr: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

interface Panel {
  title: string
  type: string
  targets?: { expr: string }[]
}

let box: Box
let families: Map<string, Family>
let rules: Rule[]
let panels: Panel[]

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0 })
  const { body } = await box.request('GET', '/metrics')
  families = readMetrics(body)
  rules = parse(await Bun.file(`${folder}/alerts.yml`).text()).groups.flatMap((group: { rules: Rule[] }) => group.rules)
  panels = (await Bun.file(`${folder}/dashboard.json`).json()).panels
})

afterAll(() => box.close())

/** All metric names that are served, in the form used in expressions. */
const served = (): Set<string> =>
  new Set(
    [...families].flatMap(([name, { type }]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  )

/** Metric names in an expression: words with an underscore that are not functions, labels or strings. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without)\s*\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?!\s*\()/g)].map(([name]) => name)
}

/** Labels that an expression selects or groups by. */
function labelsIn(expr: string): string[] {
  const selected = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, body = '']) =>
    [...body.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
  )
  const grouped = [...expr.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, body = '']) => body.split(/\s*,\s*/))
  return [...selected, ...grouped]
}

const LABELS = new Set([
  'le',
  'task',
  'state',
  'status',
  'outcome',
  'status_class',
  'error_type',
  'channel_type',
  'process',
  'service_instance_id',
  'http_request_method',
  'http_route',
  'http_response_status_code',
  'db_client_connection_pool_name',
  'db_client_connection_state',
])

describe('The alert rules', () => {
  test('use metrics and labels that exist', () => {
    expect(rules.length).toBeGreaterThan(10)
    for (const { alert, expr } of rules) {
      const names = metricsIn(expr)
      expect([alert, names.length]).not.toEqual([alert, 0])
      expect([alert, names.filter((name) => !served().has(name))]).toEqual([alert, []])
      expect([alert, labelsIn(expr).filter((label) => !LABELS.has(label))]).toEqual([alert, []])
    }
  })

  test('have a summary, a severity and a link to the runbook', async () => {
    for (const { alert, labels, annotations } of rules) {
      expect([alert, Object.keys(annotations)]).toEqual([alert, ['summary', 'description', 'runbook_url']])
      expect(['info', 'warning', 'critical']).toContain(labels.severity ?? '')
      expect(annotations.runbook_url ?? '').toMatch(/^docs\/operating\.md#[a-z-]+$/)
    }
    const text = await Bun.file(`${folder}/../operating.md`).text()
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    )
    const named = [...text.matchAll(/(?:id|name)="([\w-]+)"/g)].map(([, id]) => id)
    const missing = rules.filter(({ annotations }) => {
      const anchor = annotations.runbook_url?.split('#')[1] ?? ''
      return !anchors.includes(anchor) && !named.includes(anchor)
    })
    expect(missing.map(({ annotations }) => annotations.runbook_url)).toEqual([])
  })

  test('are served with absolute links to the runbook of that service', async () => {
    const { body, headers } = await box.request('GET', '/docs/monitoring/alerts.yml')
    expect(headers.get('content-type')).toStartWith('application/yaml')
    const served: Rule[] = parse(body).groups.flatMap((group: { rules: Rule[] }) => group.rules)
    const runbook = await (await fetch(`${box.base}/docs/operating`)).text()
    for (const [index, { annotations, ...rule }] of served.entries()) {
      const { annotations: own, ...rest } = rules[index] as Rule
      expect(rule).toEqual(rest)
      const [page, anchor] = (annotations.runbook_url ?? '').split('#')
      expect(page).toBe(`http://localhost:${box.port}/docs/operating`)
      expect(own.runbook_url).toBe(`docs/operating.md#${anchor}`)
      expect(runbook).toContain(`id="${anchor}"`)
    }
  })

  for (const [what, args] of [
    ['are valid for Prometheus', ['check', 'rules', `${folder}/alerts.yml`]],
    ['fire when they should, and not before', ['test', 'rules', `${folder}/alerts.test.yml`]],
  ] as const) {
    test.skipIf(!promtool)(what, async () => {
      const run = Bun.spawn([promtool ?? '', ...args], { stdout: 'pipe', stderr: 'pipe' })
      const said = (await new Response(run.stdout).text()) + (await new Response(run.stderr).text())
      expect([await run.exited, said]).toEqual([0, expect.stringContaining('SUCCESS')])
    })
  }
})

describe('The dashboard', () => {
  test('uses metrics and labels that exist', () => {
    const shown = panels.flatMap(({ title, targets }) => (targets ?? []).map(({ expr }) => ({ title, expr })))
    expect(shown.length).toBeGreaterThan(30)
    for (const { title, expr } of shown) {
      const names = metricsIn(expr)
      expect([title, names.length]).not.toEqual([title, 0])
      expect([title, names.filter((name) => !served().has(name))]).toEqual([title, []])
      expect([title, labelsIn(expr).filter((label) => !LABELS.has(label))]).toEqual([title, []])
    }
  })

  test('shows every metric except the start time of processes', () => {
    const shown = new Set(panels.flatMap(({ targets }) => (targets ?? []).flatMap(({ expr }) => metricsIn(expr))))
    const left = [...families.keys()].filter((name) => ![name, `${name}_count`, `${name}_bucket`].some((each) => shown.has(each)))
    expect(left).toEqual(['process_start_time_seconds'])
  })
})

test('No metric name has a suffix that Prometheus reserves for another type', () => {
  for (const [name, { type }] of families) {
    const suffix = /_(total|count|sum|bucket|info)$/.exec(name)?.[1]
    expect([name, suffix]).toEqual([name, type === 'counter' ? 'total' : undefined])
  }
})

test('Every metric is in the table of docs/monitoring', async () => {
  const table = await Bun.file(`${folder}/README.md`).text()
  const rows = [...table.matchAll(/^\| `(\w+)` *\| (.+?) *\|$/gm)].map(([, name, help]) => [name, help])
  expect(rows).toEqual([...families].map(([name, { help }]) => [name, help]))
})

test.skipIf(!promtool)('promtool accepts the metrics', async () => {
  const { body } = await box.request('GET', '/metrics')
  const run = Bun.spawn([promtool ?? '', 'check', 'metrics'], { stdin: new Blob([body]), stdout: 'pipe', stderr: 'pipe' })
  const said = (await new Response(run.stdout).text()) + (await new Response(run.stderr).text())
  const problems = said.split('\n').filter((line) => line !== '')
  await run.exited
  expect(problems).toEqual([])
})
