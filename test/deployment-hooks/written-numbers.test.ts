/** Numbers of templates. Requests and responses are text: `JSON.parse` and `JSON.stringify` of a client would change the numbers. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { Workbench } from './workbench.ts'

const WAIT = { Prefer: 'wait=25' }

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

async function send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${bench.box.base}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${bench.admin.token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, text: await response.text() }
}

const template = (one: string, event = '{{/event}}') =>
  `{"one":${one},"more":[12345678901234567890,-0,1e2,{"cost":19.90}],"event":"${event}"}`

test('a template keeps its numbers as they are written: stored, shown, previewed, changed, signed and sent', async () => {
  const project = await bench.project()
  const receiver = bench.receiver()
  const hooks = `/projects/${project.id}/deployment-hooks`
  const shown = (one: string, status = 200) => ({ status, text: expect.stringContaining(`"body_template":${template(one)}`) })
  const created = await send(
    'POST',
    hooks,
    `{"name": "Deploy", "url": "${receiver.url}", "trigger_on": "gate_approved", "secret": "plain",
      "max_age_seconds": 3600.0, "body_template": ${template('1.0')}}`,
  )
  expect(created).toEqual(shown('1.0', 201))
  const hook = JSON.parse(created.text)
  const path = `/deployment-hooks/${hook.id}`
  expect(await send('GET', path)).toEqual(shown('1.0'))
  expect(await send('GET', hooks)).toEqual(shown('1.0'))
  expect(await send('PUT', path, `{"body_template": ${template('1')}}`)).toEqual(shown('1'))
  expect(await send('PUT', path, `{"body_template": ${template('1.00')}}`)).toEqual(shown('1.00'))
  expect((await bench.lastEntry(hook.id)).detail).toContain('to {"one":1.00')

  const preview = async (input: string) => JSON.parse((await send('POST', `${path}/preview`, input)).text).body
  expect(await preview('{}')).toBe(template('1.00', 'gate.approved'))
  expect(await preview(`{"body_template": ${template('1e0')}}`)).toBe(template('1e0', 'gate.approved'))

  expect((await bench.ask(hook, 'test', undefined, WAIT)).body.status).toBe('succeeded')
  const [request] = receiver.requests
  const sent = template('1.00', 'test.ping')
  expect(request?.body).toBe(sent)
  expect(request?.headers['x-signalbox-signature']).toBe(`sha256=${createHmac('sha256', 'plain').update(sent).digest('hex')}`)
})

test.each([
  ['too large', '1e309'],
  ['too close to zero', '1e-325'],
  ['zero with a large exponent', '0e999999'],
  ['long', `0.${'0'.repeat(20_000)}1`],
])('a template may not contain a number that is %s', async (_, number) => {
  const project = await bench.project()
  const { status, text } = await send(
    'POST',
    `/projects/${project.id}/deployment-hooks`,
    `{"name": "Deploy", "url": "http://127.0.0.1:1/", "trigger_on": "gate_approved", "body_template": {"number": ${number}}}`,
  )
  expect([status, JSON.parse(text).errors]).toEqual([
    422,
    [{ pointer: '/body_template/number', code: 'out_of_range', detail: expect.any(String) }],
  ])
})

test('a template with numbers of the extreme forms is sent, also in the event that contains it', async () => {
  const receiver = bench.receiver()
  const project = await bench.project()
  const numbers = `[1e308,1e-324,0e-324,0.${'0'.repeat(397)}1,1${'0'.repeat(308)}]`
  const { text } = await send(
    'POST',
    `/projects/${project.id}/deployment-hooks`,
    `{"name": "Deploy", "url": "${receiver.url}", "trigger_on": "gate_approved", "body_template": ${numbers}}`,
  )
  expect((await bench.ask(JSON.parse(text), 'trigger', undefined, WAIT)).body.status).toBe('succeeded')
  expect(receiver.requests[0]?.body).toBe(numbers)
})
