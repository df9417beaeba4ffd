import { afterAll, beforeAll, expect, test } from 'bun:test'
import { GithubBench } from './workbench.ts'

let bench: GithubBench
beforeAll(async () => {
  bench = await GithubBench.connected()
})
afterAll(() => bench.close())

test('debug', async () => {
  const { github, admin } = bench
  const { project, repository } = await bench.linked()
  github.startRun(repository, { environment: 'production', actor: bench.octocat })
  const gate = await bench.gateOf(project.id)
  console.log((await admin.post(`/api/v1/gates/${gate.id}/approve`)).status)
  await Bun.sleep(4000)
  console.log(await bench.box.sql`select * from github_requests`)
  console.log(bench.box.workers.flatMap(({ lines }) => lines.filter((line) => /github|error/.test(line))).join('\n'))
  console.log((await admin.get(`/api/v1/gates/${gate.id}/clearance`)).body)
  console.log(github.calls.slice(-6).map(({ method, path, body, status, answer }) => [method, path, body, status, answer]))
  expect(1).toBe(1)
})
