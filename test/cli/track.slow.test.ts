/** `signalbox track`, on Bun and on Node: what runs where, and what may come next. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PromotionWorkbench, V1, V2 } from '../promotions/workbench.ts'
import { Home, RUNTIMES } from './support.ts'

let bench: PromotionWorkbench
let home: Home
let environment: Record<string, string>

beforeAll(async () => {
  bench = await PromotionWorkbench.open()
  home = await Home.make()
  const { token } = await bench.admin.make('/api/v1/auth/tokens', { name: 'Command line', scope: 'read' })
  environment = { SIGNALBOX_URL: bench.box.base, SIGNALBOX_TOKEN: token }
})
afterAll(async () => {
  await home[Symbol.asyncDispose]()
  await bench.close()
})

describe.each(RUNTIMES)('on %s', (_, runtime) => {
  test('it names each environment with what stands before it; as JSON it is the answer of the API', async () => {
    const { project, staging, production } = await bench.chain({ soak_seconds: 3600 })
    await bench.run(production, V2, 'succeeded', { version: 'v1.4.0' })
    await bench.run(staging, V1, 'succeeded', { version: 'v1.5.0' })
    await bench.open(project, V1, { name: 'Release' })
    const args = ['track', '--project', project.id]
    const { code, stdout, stderr } = await home.run(args, { runtime, environment })
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n')
    expect(lines[0]).toBe('in work  0 running, 0 waiting at a gate')
    expect(lines[1]).toStartWith('staging  v1.5.0, since 20')
    expect(lines[2]).toStartWith('production  v1.4.0, since 20')
    expect(lines[3]).toMatch(/^ {2}next: v1\.5\.0, soaking until 20.* UTC$/)
    expect(lines[4]).toMatch(/^ {2}gate: Release.*, 0 of 1 approvals needs you/)
    const asJson = await home.run([...args, '--json'], { runtime, environment })
    const { body } = await bench.admin.get(`/api/v1/projects/${project.id}/track`)
    expect(JSON.parse(asJson.stdout)).toEqual(body)
  })

  test('a project that is not there is an error', async () => {
    const { code, stdout, stderr } = await home.run(['track', '--project', crypto.randomUUID()], { runtime, environment })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('answered 404')
  })
})
