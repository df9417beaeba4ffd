/** The official conformance suite of the protocol, for what is offered; see docs/agents.md. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Box, signalbox } from '../support/signalbox.ts'

const SUITE = join(import.meta.dir, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

let box: Box
let folder: string
/** Adds the token, which the suite cannot send. */
let entrance: Bun.Server<undefined>
let token = ''

beforeAll(async () => {
  entrance = Bun.serve({
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const headers = new Headers(request.headers)
      headers.set('Authorization', `Bearer ${token}`)
      const { pathname } = new URL(request.url)
      const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
      const body = hasBody ? await request.arrayBuffer() : undefined
      return fetch(box.base + pathname, { method: request.method, headers, body, signal: request.signal })
    },
  })
  box = await signalbox({ workers: 0, own: true, environment: { PUBLIC_URL: `http://localhost:${entrance.port}` } })
  const ada = await box.user('Ada')
  token = (await ada.make('/api/v1/auth/tokens', { name: 'Agent' })).token
  folder = await mkdtemp(join(tmpdir(), 'conformance-'))
})
afterAll(async () => {
  await entrance.stop(true)
  await box.close()
  await rm(folder, { recursive: true })
})

/** Runs one scenario. @returns the checks that failed, and how many passed */
async function run(scenario: string, version: string): Promise<{ failed: string[]; passed: number }> {
  const url = `http://localhost:${entrance.port}/mcp`
  const results = join(folder, version)
  const suite = Bun.spawn(
    [process.execPath, SUITE, 'server', '--url', url, '--scenario', scenario, '--spec-version', version, '-o', results],
    { cwd: folder, stdout: 'ignore', stderr: 'ignore' },
  )
  await suite.exited
  const [file] = [...new Bun.Glob(`server-${scenario}-*/checks.json`).scanSync(results)]
  const checks: { id: string; status: string }[] = await Bun.file(join(results, file ?? '')).json()
  const of = (status: string) => checks.filter((check) => check.status === status).map(({ id }) => id)
  return { failed: of('FAILURE'), passed: of('SUCCESS').length }
}

/** What the suite checks with tools of its own, which a server under test is expected to have. */
const OWN_TOOLS = [
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
]
/** There are neither prompts nor resources. */
const OTHER_LISTS = ['prompts-list', 'resources-list', 'resources-templates-list'].map((list) => `sep-2549-${list}-caching-hints`)

test.each([
  ['server-initialize', '2025-11-25', []],
  ['ping', '2025-11-25', []],
  ['tools-list', '2025-11-25', []],
  ['dns-rebinding-protection', '2025-11-25', []],
  ['server-stateless', '2026-07-28', OWN_TOOLS],
  ['tools-list', '2026-07-28', []],
  ['caching', '2026-07-28', OTHER_LISTS],
  ['dns-rebinding-protection', '2026-07-28', []],
])('%s of revision %s passes, but for what is not offered', async (scenario, version, inapplicable: string[]) => {
  const { failed, passed } = await run(scenario, version)
  expect(failed.sort()).toEqual(inapplicable.sort())
  expect(passed).toBeGreaterThan(0)
})
