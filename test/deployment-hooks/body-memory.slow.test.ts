import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})

afterAll(() => bench.close())

const HOOKS = 20
const EVENTS = 8

/** Resident memory of a process, in MiB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

test('Many hooks whose templates make large bodies of small events need a bounded amount of memory', async () => {
  const [worker] = bench.box.workers
  const receiver = bench.receiver()
  receiver.answer = async () => {
    await Bun.sleep(100)
    return new Response('ok')
  }
  const project = await bench.project()
  // A description of 10 kB, repeated 86 times.
  const body_template = { token: '{{secret:token}}', text: '{{/data/gate/description}}'.repeat(86) }
  for (let each = 0; each < HOOKS; each++) {
    await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: `Hook ${each}`,
      url: receiver.url,
      trigger_on: 'gate_approved',
      body_template,
      template_secrets: { token: 'glptt-0f1e2d3c' },
    })
  }
  const execution = await bench.box.running(bench.admin, project.id)
  const gates = []
  for (let each = 0; each < EVENTS; each++) {
    const gate = { name: `Gate ${each}`, description: 'x'.repeat(10_000) }
    gates.push(await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, gate))
  }
  const before = memoryOf(worker?.pid ?? 0)
  let highest = before
  const timer = setInterval(() => {
    highest = Math.max(highest, memoryOf(worker?.pid ?? 0))
  }, 20)
  try {
    await Promise.all(gates.map(({ id }) => bench.admin.make(`/api/v1/gates/${id}/approve`)))
    await bench.box.settled(400_000)
  } finally {
    clearInterval(timer)
  }
  const [{ sent, bytes }] = await bench.box.sql<[{ sent: number; bytes: number }]>`
    select count(*) as sent, min(octet_length(body)) as bytes from dispatches
  `
  expect(sent).toBe(HOOKS * EVENTS)
  expect(bytes).toBeGreaterThan(850_000)
  // All bodies together are 131 MiB, and each is in memory several times.
  expect(highest - before).toBeLessThan(350)
}, 600_000)
