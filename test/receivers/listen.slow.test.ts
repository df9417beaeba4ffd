import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { Process } from '../support/signalbox.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let bench: Workbench
const listeners: Process[] = []

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(async () => {
  await bench.close()
  for (const each of listeners) each.kill('SIGKILL')
  await Promise.all(listeners.map(({ exited }) => exited))
})

async function listen(...options: string[]): Promise<{ url: string; listener: Process }> {
  const listener = new Process(['cli/signalbox.js', 'listen', '--port', '0', ...options], {})
  listeners.push(listener)
  const [url = ''] = /http:\S+/.exec(await listener.said('Make a hook with the url')) ?? []
  return { url, listener }
}

/** The printed lines of the first dispatches, without times. */
async function printedLines(listener: Process, count: number): Promise<string[]> {
  await bench.box.until('it is printed', async () => listener.lines.filter((line) => line.includes('answered')).length >= count)
  return listener.lines.filter((line) => /^ *\+/.test(line)).map((line) => line.replace(/^ *\+\S+ +(dispatch +)?/, ''))
}

describe('bun run listen', () => {
  test('prints each dispatch, and whether both signatures are valid', async () => {
    const { url, listener } = await listen('--secret', SECRET)
    const { project } = await bench.hookTo(url, { secret: SECRET, environment: 'staging' })
    await bench.approve(project)
    expect(await printedLines(listener, 1)).toEqual([
      'gate.approved      Deploy → staging, sequence 1, attempt 1',
      '✓ X-Signalbox-Signature  ✓ webhook-signature  answered 200',
    ])
  })

  test('answers with the given status, and shows retries', async () => {
    const { url, listener } = await listen('--status', '503', '--delay', '10')
    const { project, hook } = await bench.hookTo(url, { secret: SECRET })
    await bench.approve(project)
    expect(await bench.settled(hook)).toMatchObject({ status: 'failed', response_status: 503, attempt_count: 3 })
    const lines = await printedLines(listener, 3)
    expect(lines.filter((_, index) => index % 2 === 0)).toEqual(
      [1, 2, 3].map((attempt) => `gate.approved      Deploy → production, sequence 1, attempt ${attempt}`),
    )
    expect(lines[1]).toBe('signed; not checked without --secret  answered 503')
  })

  test('reports a wrong secret, a repeated dispatch, and a late one', async () => {
    const { url, listener } = await listen('--secret', 'another')
    const { hook } = await bench.hookTo(url, { secret: SECRET })
    await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    const send = (id: string, sequence: number) =>
      fetch(url, {
        method: 'POST',
        body: JSON.stringify({ hook: { id: hook.id, name: 'Deploy' }, environment: 'production' }),
        headers: { 'webhook-id': id, 'X-Signalbox-Event': 'gate.approved', 'X-Signalbox-Sequence': String(sequence) },
      })
    await send('d-2', 2)
    await send('d-2', 2)
    await send('d-1', 1)
    const lines = (await printedLines(listener, 4)).filter((_, index) => index % 2)
    expect(lines).toEqual([
      '✗ X-Signalbox-Signature  ✗ webhook-signature  answered 200',
      '✗ X-Signalbox-Signature  ✗ webhook-signature  answered 200',
      '✗ X-Signalbox-Signature  ✗ webhook-signature  a repeat: it was answered with 2xx before  answered 200',
      '✗ X-Signalbox-Signature  ✗ webhook-signature  late: sequence 2 came before  answered 200',
    ])
  })

  test.each([
    [['--status', '99'], '--status must be a whole number from 200 to 599'],
    [['--port', 'ninety'], '--port must be a whole number'],
    [['--secret', 'whsec_?'], 'the rest must be base64'],
    [['--color'], "Unknown option '--color'"],
  ])('refuses %p and prints the usage', async (options, complaint) => {
    const listener = new Process(['cli/signalbox.js', 'listen', ...options], {})
    expect(await listener.exited).toBe(1)
    expect(listener.lines.join('\n')).toContain(complaint)
  })
})
