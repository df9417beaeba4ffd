/** Lists of gates with as much evidence as there can be. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { Committee } from './committee.ts'

const EVIDENCE = {
  summary: 's'.repeat(10_000),
  metrics: Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`metric_${number}`, number])),
  checks: Array.from({ length: 50 }, (_, number) => ({
    name: `Check ${number}`,
    state: number < 5 ? 'failed' : 'passed',
    url: `https://ci.example.com/runs/${number}`,
    detail: 'd'.repeat(80),
  })),
  links: Array.from({ length: 20 }, (_, number) => ({ label: `Link ${number}`, url: `https://git.example.com/${number}` })),
  artifacts: Array.from({ length: 14 }, (_, number) => ({ name: `plan-${number}.txt`, content: 'a'.repeat(65_536) })),
}
const COUNT = 100

let committee: Committee
let path: string

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  const { ada, box, site } = committee
  path = `/projects/${site.project.id}`
  const gate = await ada.make(`/api/v1${path}/gates`, { name: 'Release', environment: 'production', evidence: EVIDENCE })
  await box.sql`
    insert into gates
    select (jsonb_populate_record(gate, jsonb_build_object('id', uuidv7(), 'name', 'Release ' || number))).*
    from gates as gate
    cross join generate_series(2, ${COUNT}) as number
    where gate.id = ${gate.id}
  `
})
afterAll(() => committee.close())

test('a page of 100 gates with full evidence is a hundredth of what they hold', async () => {
  const { body } = await committee.ada.get(`/api/v1${path}/gates?limit=${COUNT}`)
  expect(body).toHaveLength(COUNT)
  const [first] = body
  expect(first.evidence.summary).toHaveLength(500)
  expect(first.evidence).not.toHaveProperty('artifacts')
  expect(first.evidence.checks).toEqual(EVIDENCE.checks)
  expect(JSON.stringify(body).length).toBeLessThan((COUNT * JSON.stringify(EVIDENCE).length) / 60)
  const { evidence } = await committee.gateOf(first)
  expect(evidence).toMatchObject(EVIDENCE)
})

test('a list ends where its evidence takes 2 MiB, and its links lead through all', async () => {
  const evidence = { checks: Array.from({ length: 50 }, (_, n) => ({ name: `${n}`, state: 'passed', detail: 'd'.repeat(1000) })) }
  const { project } = await committee.withPolicy({})
  const list = `/api/v1/projects/${project.id}/gates`
  const gate = await committee.ada.make(list, { name: 'Release', evidence })
  await committee.box.sql`
    insert into gates
    select (jsonb_populate_record(gate, jsonb_build_object('id', uuidv7()))).*
    from gates as gate
    cross join generate_series(2, ${COUNT}) as number
    where gate.id = ${gate.id}
  `
  const ids: string[] = []
  const counts: number[] = []
  for (let path: string | undefined = list; path; ) {
    const { body, headers } = await committee.ada.get(path)
    ids.push(...body.map(({ id }: { id: string }) => id))
    counts.push(body.length)
    expect(JSON.stringify(body.map((each: { evidence: object }) => each.evidence)).length).toBeLessThan(2.5 * 2 ** 20)
    path = /<(.+)>/.exec(headers.get('link') ?? '')?.[1]
  }
  expect([new Set(ids).size, ids.length, counts.length]).toEqual([COUNT, COUNT, 3])
})

test('pages that list gates show none of their evidence', async () => {
  const visitor = await PageClient.signedIn(committee.box, committee.ada)
  const policy = `/app${path}/environment/policy`
  for (const { status, html } of [
    await visitor.open('/app'),
    await visitor.open(`/app${path}/gates?page_size=100`),
    await visitor.post(policy, { environment: 'production', required_approvals: '2' }),
  ]) {
    expect(status).toBe(200)
    expect(html).toContain('Release 2')
    expect(html).not.toContain('Check 0')
    expect(Buffer.byteLength(html)).toBeLessThan(65_536)
  }
})
