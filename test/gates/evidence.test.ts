/** What a gate is about: subject, evidence and questions, the hash that binds an approval to them, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { Answer } from '../support/signalbox.ts'
import { approve, Committee, reject } from './committee.ts'

type Body = Answer['body']

const SHA = 'a'.repeat(64)
const SUBJECT = { uri: 'https://git.example.com/acme/checkout', digest: { sha256: SHA }, version: 'v1.5.0' }
const EVIDENCE = {
  summary: 'Adds a **due date**.',
  metrics: { tests_passed: 418, coverage: 0.1 + 0.2, large: 1e15, tiny: 1e-7 },
  checks: [
    { name: 'Unit tests', state: 'passed' },
    { name: 'Load test', state: 'failed', url: 'https://ci.example.com/1', detail: 'p99 is 900 ms' },
  ],
  links: [{ label: 'Pull request', url: 'https://git.example.com/acme/checkout/pull/12' }],
  artifacts: [{ name: 'plan.txt', content: 'x'.repeat(1000) }],
}
const FIELDS = [{ name: 'ticket', label: 'Change ticket', type: 'text' }]

let committee: Committee

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
})
afterAll(() => committee.close())

/** RFC 8785, for values without characters beyond ASCII in names. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}

function recomputed({ id, project_id, environment, subject, evidence, rules, fields }: Body): string {
  const form = canonical({ gate_id: id, project_id, environment, subject, evidence, rules, fields })
  return createHash('sha256').update(form).digest('hex')
}

const open = async (input: object): Promise<Answer> => {
  const { id } = await committee.box.running(committee.ada, committee.site.project.id)
  return committee.ada.post(`/api/v1/executions/${id}/gates`, { name: 'Release', ...input })
}

const faultsOf = async (input: object): Promise<string[]> => {
  const { status, body } = await open(input)
  return status === 422 ? body.errors.map(({ pointer }: Body) => pointer) : [`${status}`]
}

describe('A gate with evidence', () => {
  test('shows all of it; lists and events leave out artifacts and shorten the summary', async () => {
    const summary = `${'é'.repeat(499)}🚀${'z'.repeat(100)}`
    const evidence = { ...EVIDENCE, summary }
    const gate = await committee.opened({ environment: 'production', subject: SUBJECT, evidence, fields: FIELDS })
    const checks = [{ name: 'Unit tests', state: 'passed', url: null, detail: null }, EVIDENCE.checks[1]]
    expect(gate).toMatchObject({
      environment: 'production',
      subject: SUBJECT,
      evidence: { ...evidence, checks },
      fields: [{ ...FIELDS[0], choices: null, required: true }],
    })
    expect(await committee.gateOf(gate)).toEqual(gate)
    const [listed] = (await committee.ada.get(`/api/v1/executions/${gate.execution_id}/gates`)).body
    const { artifacts: _, ...short } = { ...evidence, checks, summary: `${'é'.repeat(499)}🚀` }
    expect(listed).toEqual({ ...gate, evidence: short })
    const [inProject] = (await committee.ada.get(`/api/v1/projects/${gate.project_id}/gates`)).body
    expect(inProject).toEqual(listed)
    const [pending] = await committee.eventsOf(gate)
    expect(pending?.data.gate).toEqual(listed)
    await approve(committee.ada, gate, { binding: gate.binding, answers: { ticket: 'OPS-1' } })
    const approved = (await committee.eventsOf(gate)).at(-1)
    expect(approved?.data.gate).toMatchObject({ evidence: short, subject: SUBJECT, answers: { ticket: 'OPS-1' } })
  })

  test('has a binding that anyone can compute again', async () => {
    const rules = { required_approvals: 2, expires_in_seconds: 3600 }
    for (const input of [{}, { environment: 'prod', subject: SUBJECT, evidence: EVIDENCE, fields: FIELDS, ...rules }]) {
      const gate = await committee.opened(input)
      expect(recomputed(await committee.gateOf(gate))).toBe(gate.binding)
      expect(gate.rules).toMatchObject({ required_approvals: gate.required_approvals, expires_at: gate.expires_at })
    }
  })

  test('masks what looks like a credential', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const evidence = { summary: `Used ${token}.`, checks: [{ name: 'Push', state: 'failed', detail: `denied: ${token}` }] }
    const gate = await committee.opened({ evidence })
    expect(JSON.stringify(gate)).not.toContain(token)
    expect(gate.evidence).toMatchObject({ summary: 'Used ********.', checks: [{ detail: 'denied: ********' }] })
  })

  test('cannot be changed, whatever path a statement takes', async () => {
    const gate = await committee.opened({ environment: 'production', subject: SUBJECT, evidence: EVIDENCE, fields: FIELDS })
    const { sql } = committee.box
    const changes = [
      sql`environment = 'staging'`,
      sql`subject = jsonb_set(subject, '{version}', '"v2"')`,
      sql`evidence = null`,
      sql`artifacts = '[]'`,
      sql`fields = '[]'`,
      sql`binding = ${'b'.repeat(64)}`,
      sql`required_approvals = 2`,
      sql`prevent_self_approval = true`,
      sql`decide_via = '{api}'`,
      sql`expires_at = now()`,
      sql`approvers = '[{}]'`,
      sql`require_subject = true`,
      sql`require_checks = true`,
      sql`require_passkey = true`,
      sql`gate_required = true`,
    ]
    for (const change of changes) {
      const update = sql`update gates set ${change} where id = ${gate.id}`
      await expect(update.execute()).rejects.toMatchObject({ constraint_name: 'gates_fixed' })
    }
    expect(await committee.gateOf(gate)).toEqual(gate)
  })
})

describe('A gate is refused', () => {
  const subject = (changes: object) => ({ subject: { ...SUBJECT, ...changes } })
  const uri = (text: string) => subject({ uri: text })
  const digest = (value: object) => subject({ digest: value })
  const evidence = (changes: object) => ({ evidence: changes })
  const check = (changes: object) => evidence({ checks: [{ name: 'Tests', state: 'passed', ...changes }] })
  const field = (changes: object) => ({ fields: [{ ...FIELDS[0], ...changes }] })
  const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)
  const link = (changes: object) => evidence({ links: [{ label: 'Run', url: 'https://a.example', ...changes }] })
  const metrics = (count: number) => Object.fromEntries(many(count, 1).map((value, n) => [`m${n}`, value]))
  const BIG_CHECK = { name: 'Tests', state: 'failed', detail: 'x'.repeat(1000), url: `https://ci.example.com/${'a'.repeat(400)}` }
  const CASES: [why: string, input: object, pointer: string][] = [
    ['without a digest', { subject: { uri: SUBJECT.uri } }, '/subject/digest'],
    ['without a uri', { subject: { digest: SUBJECT.digest } }, '/subject/uri'],
    ['with a script as the subject', uri('javascript:alert(1)'), '/subject/uri'],
    ['with plain http', uri('http://example.com/a'), '/subject/uri'],
    ['with a password in the uri', uri('https://ada:secret@example.com/a'), '/subject/uri'],
    ['with a password in an oci uri', uri('oci://ada:secret@ghcr.io/a'), '/subject/uri'],
    ['with a user name in a pkg uri', uri('pkg://ada@npm/a'), '/subject/uri'],
    ['with a uri that has a space', uri('pkg:npm/a b'), '/subject/uri'],
    ['with a uri that reorders text', uri('https://example.com/\u202egpj.exe'), '/subject/uri'],
    ['with a uri that is too long', uri(`https://example.com/${'a'.repeat(2048)}`), '/subject/uri'],
    ['with an empty digest', digest({}), '/subject/digest'],
    ['with two digests', digest({ sha256: SHA, gitCommit: 'a'.repeat(40) }), '/subject/digest'],
    ['with another algorithm', digest({ md5: 'a'.repeat(32) }), '/subject/digest/md5'],
    ['with a digest in capitals', digest({ sha256: SHA.toUpperCase() }), '/subject/digest/sha256'],
    ['with a short digest', digest({ gitCommit: 'abc123' }), '/subject/digest/gitCommit'],
    ['with a version of two lines', subject({ version: 'v1\nv2' }), '/subject/version'],
    ['with a version that is too long', subject({ version: 'v'.repeat(121) }), '/subject/version'],
    ['with an unknown field of the subject', subject({ name: 'x' }), '/subject/name'],
    ['with a summary that is too long', evidence({ summary: 'x'.repeat(10_001) }), '/evidence/summary'],
    ['with a metric that is text', evidence({ metrics: { speed: 'fast' } }), '/evidence/metrics/speed'],
    ...['\n', '\r', '\u2028', '\u2029'].map((end): [string, object, string] => [
      `with ${JSON.stringify(end)} in the name of a metric`,
      evidence({ metrics: { [`a${end}b`]: null } }),
      '/evidence/metrics',
    ]),
    ['with 51 checks', evidence({ checks: many(51, { name: 'a', state: 'passed' }) }), '/evidence/checks'],
    ['with an unknown state', check({ state: 'green' }), '/evidence/checks/0/state'],
    ['with an invisible character in a name', check({ name: 'Te\u200bsts' }), '/evidence/checks/0/name'],
    ['with a blank name', check({ name: ' ' }), '/evidence/checks/0/name'],
    ['with a check that links to a script', check({ url: 'javascript:alert(1)' }), '/evidence/checks/0/url'],
    ['with a detail that is too long', check({ detail: 'x'.repeat(1001) }), '/evidence/checks/0/detail'],
    ['with a check that links with a password', check({ url: 'https://ada:secret@ci.example.com/1' }), '/evidence/checks/0/url'],
    ['with a link with a token', evidence({ links: [{ label: 'a', url: 'https:/\\/t@a.example' }] }), '/evidence/links/0/url'],
    ['with more than 64 KiB of evidence', evidence({ checks: many(50, BIG_CHECK) }), '/evidence'],
    ['with a link to a script', evidence({ links: [{ label: 'a', url: 'javascript:alert(1)' }] }), '/evidence/links/0/url'],
    ['with 21 links', evidence({ links: many(21, { label: 'a', url: 'https://a.example' }) }), '/evidence/links'],
    ['with 21 artifacts', evidence({ artifacts: many(21, { name: 'a' }) }), '/evidence/artifacts'],
    ['with a name of a check that is too long', check({ name: 'n'.repeat(201) }), '/evidence/checks/0/name'],
    ['with a long url of a check', check({ url: `https://a.example/${'a'.repeat(2031)}` }), '/evidence/checks/0/url'],
    ['with a long label of a link', link({ label: 'l'.repeat(201) }), '/evidence/links/0/label'],
    ['with a long url of a link', link({ url: `https://a.example/${'a'.repeat(2031)}` }), '/evidence/links/0/url'],
    ['with 101 metrics', evidence({ metrics: metrics(101) }), '/evidence/metrics'],
    ['with a metric that is too large', evidence({ metrics: { size: 1.1e15 } }), '/evidence/metrics/size'],
    ['with a negative metric', evidence({ metrics: { size: -1 } }), '/evidence/metrics/size'],
    [
      'with a long artifact',
      evidence({ artifacts: [{ name: 'a', content: 'x'.repeat(65_537) }] }),
      '/evidence/artifacts/0/content',
    ],
    ['with an unknown field of the evidence', evidence({ note: 'x' }), '/evidence/note'],
    ['with nine fields', { fields: Array.from({ length: 9 }, (_, n) => ({ ...FIELDS[0], name: `f${n}` })) }, '/fields'],
    ['with a field name in capitals', field({ name: 'Ticket' }), '/fields/0/name'],
    ['with two fields of one name', { fields: [FIELDS[0], FIELDS[0]] }, '/fields/1/name'],
    ['with a field name that is too long', field({ name: 'n'.repeat(33) }), '/fields/0/name'],
    ['with a label that is too long', field({ label: 'l'.repeat(201) }), '/fields/0/label'],
    ['with 21 choices', field({ type: 'choice', choices: many(21, '').map((_, n) => `c${n}`) }), '/fields/0/choices'],
    ['with a choice of nothing', field({ type: 'choice' }), '/fields/0/choices'],
    ['with one choice', field({ type: 'choice', choices: ['a'] }), '/fields/0/choices'],
    ['with the same choice twice', field({ type: 'choice', choices: ['a', 'a'] }), '/fields/0/choices'],
    ['with choices of a text', field({ choices: ['a', 'b'] }), '/fields/0/choices'],
    ['with an environment of two lines', { environment: 'a\nb' }, '/environment'],
    ['with an environment that is too long', { environment: 'e'.repeat(65) }, '/environment'],
  ]
  for (const [why, input, pointer] of CASES) {
    test(why, async () => expect(await faultsOf(input)).toEqual([pointer]))
  }
})

test('a gate takes as much as there can be', async () => {
  const url = `https://a.example/${'a'.repeat(2030)}`
  const list = (count: number): number[] => [...Array(count).keys()]
  const input = {
    environment: 'e'.repeat(64),
    subject: { uri: url, digest: { gitCommit: 'a'.repeat(64) }, version: 'v'.repeat(120) },
    evidence: {
      summary: 's'.repeat(10_000),
      metrics: Object.fromEntries(list(100).map((n) => [`m${n}`, n === 0 ? 1e15 : 0])),
      checks: list(50).map((n) => ({
        name: 'n'.repeat(200),
        state: 'skipped',
        url: n < 2 ? url : null,
        detail: 'd'.repeat(n < 2 ? 1000 : 1),
      })),
      links: list(20).map((n) => ({ label: 'l'.repeat(200), url: n === 0 ? url : 'https://a.example' })),
      artifacts: list(20).map((n) => ({ name: `a${n}`, content: 'x'.repeat(n === 0 ? 65_536 : 1) })),
    },
    fields: list(8).map((n) => ({
      name: `${n}`.padEnd(32, 'f'),
      label: 'l'.repeat(200),
      ...(n === 0 ? { type: 'choice', choices: list(20).map((choice) => `c${choice}`) } : { type: 'text' }),
    })),
  }
  const { status, body } = await open(input)
  expect([status, body.errors]).toEqual([201, undefined])
  const answers = Object.fromEntries(body.fields.map(({ name }: Body, n: number) => [name, n === 0 ? 'c19' : 'x'.repeat(2000)]))
  expect((await approve(committee.ada, body, { binding: body.binding, answers })).body.answers).toEqual(answers)
})

test('names are compared and bound in NFC, and each form of a uri and digest is taken', async () => {
  const gate = await committee.opened({ subject: { ...SUBJECT, version: 'e\u0301' } })
  expect(gate.subject.version).toBe('\u00e9')
  for (const [uri, digest] of [
    ['git+https://git.example.com/acme/checkout.git', { gitCommit: 'b'.repeat(40) }],
    ['pkg:oci/checkout?repository_url=ghcr.io/acme', { gitCommit: 'b'.repeat(64) }],
    ['oci://ghcr.io/acme/checkout', { sha256: 'c'.repeat(64) }],
    ['oci://ghcr.io/acme/checkout@sha256:c', { sha256: 'd'.repeat(64) }],
    ['pkg:npm/checkout@1.5.0', { sha256: 'd'.repeat(64) }],
  ] as const) {
    expect((await committee.opened({ subject: { uri, digest } })).subject).toEqual({ uri, digest, version: null })
  }
})

describe('An approval', () => {
  test('of a gate with a subject names what was seen', async () => {
    const gate = await committee.opened({ subject: SUBJECT })
    const without = await approve(committee.ada, gate)
    expect([without.status, without.body.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/binding', code: 'required' })],
    ])
    const other = await approve(committee.ada, gate, { binding: 'f'.repeat(64) })
    expect([other.status, other.body.code]).toEqual([409, 'subject_changed'])
    expect(other.body.detail).toContain(`${SUBJECT.uri} (sha256:${SHA.slice(0, 12)})`)
    expect(other.body.detail).toContain(gate.binding)
    expect(await committee.gateOf(gate)).toEqual(gate)
    const { status, body } = await approve(committee.ada, gate, { binding: gate.binding })
    expect([status, body.status]).toEqual([200, 'approved'])
  })

  test('may name it where there is no subject, and then it must be right', async () => {
    const gate = await committee.opened()
    expect((await approve(committee.ada, gate, { binding: 'f'.repeat(64) })).body.code).toBe('subject_changed')
    expect((await approve(committee.ada, gate, { binding: gate.binding })).status).toBe(200)
    expect((await reject(committee.ada, await committee.opened({ subject: SUBJECT }))).status).toBe(200)
  })

  const QUESTIONS = [
    ...FIELDS,
    { name: 'percent', label: 'Percent of users', type: 'number', required: false },
    { name: 'rehearsed', label: 'Rehearsed?', type: 'boolean' },
    { name: 'window', label: 'Window', type: 'choice', choices: ['today', 'tonight'] },
  ]
  const GOOD = { ticket: 'OPS-1', rehearsed: false, window: 'tonight' }

  test('answers the questions; each approver theirs, and those of the last one are the gate’s', async () => {
    const gate = await committee.opened({ fields: QUESTIONS, required_approvals: 2 })
    const first = await approve(committee.ada, gate, { answers: { ...GOOD, percent: 12.5 } })
    expect([first.status, first.body.answers]).toEqual([200, null])
    const { body } = await approve(committee.grace, gate, { answers: { ...GOOD, percent: null } })
    expect(body.approvals.map(({ answers }: Body) => answers)).toEqual([{ ...GOOD, percent: 12.5 }, GOOD])
    expect(body.answers).toEqual(GOOD)
    const events = await committee.eventsOf(gate)
    expect(events[1]?.data.approval.answers).toEqual({ ...GOOD, percent: 12.5 })
    expect(events.at(-1)?.data.gate.answers).toEqual(GOOD)
  })

  test('is refused at each answer that is missing, wrong, or to no question', async () => {
    const gate = await committee.opened({ fields: QUESTIONS })
    const at = async (answers: object) => {
      const { status, body } = await approve(committee.ada, gate, { answers })
      return [status, ...body.errors.map(({ pointer }: Body) => pointer)]
    }
    expect(await at({})).toEqual([422, '/answers/ticket', '/answers/rehearsed', '/answers/window'])
    for (const ticket of [' ', '\u200b']) expect(await at({ ...GOOD, ticket })).toEqual([422, '/answers/ticket'])
    expect(await at({ ...GOOD, ticket: 4711 })).toEqual([422, '/answers/ticket'])
    expect(await at({ ...GOOD, ticket: 'x'.repeat(2001) })).toEqual([422, '/answers/ticket'])
    expect(await at({ ...GOOD, rehearsed: 'true' })).toEqual([422, '/answers/rehearsed'])
    expect(await at({ ...GOOD, percent: '12' })).toEqual([422, '/answers/percent'])
    expect(await at({ ...GOOD, percent: 2 ** 53 })).toEqual([422, '/answers/percent'])
    expect(await at({ ...GOOD, window: 'tomorrow' })).toEqual([422, '/answers/window'])
    expect(await at({ ...GOOD, mood: 'good' })).toEqual([422, '/answers/mood'])
    // JSON that `JSON.stringify` does not write: it is read as Infinity.
    const response = await fetch(`${committee.box.base}/api/v1/gates/${gate.id}/approve`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${committee.ada.token}` },
      body: `{ "answers": { "ticket": "OPS-1", "rehearsed": true, "window": "today", "percent": ${'9'.repeat(309)} } }`,
    })
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('/answers/percent')])
    expect(await committee.gateOf(gate)).toEqual(gate)
  })
})
