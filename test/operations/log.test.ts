import { expect, test } from 'bun:test'
import { SECRETS } from '../support/server.ts'

const root = `${import.meta.dir}/../..`

/** The line that a process prints for this call. */
async function logLine(expression: string): Promise<Record<string, unknown>> {
  const script = `const { log } = await import('./core/platform/log.ts'); log.info(${expression}, 'a message')`
  const env = { ...SECRETS, PATH: process.env.PATH, DATABASE_URL: 'postgres://a@127.0.0.1:1/b', EMAIL_VERIFICATION: 'off' }
  const run = Bun.spawn([process.execPath, '-e', script], { cwd: root, env, stdout: 'pipe' })
  return JSON.parse(await new Response(run.stdout).text())
}

test('A line is one JSON object with level, time and message', async () => {
  expect(await logLine(`{ request_id: 'a', ms: 1.5 }`)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    request_id: 'a',
    ms: 1.5,
    message: 'a message',
  })
})

test('An error is logged with class, message, code and stack, also when nested, and with no other properties', async () => {
  const error = {
    class: 'TypeError',
    message: 'it does not fit',
    code: 'E7',
    stack: expect.stringContaining('TypeError: it does not fit\n    at '),
  }
  const made = `Object.assign(new TypeError('it does not fit'), { code: 'E7', parameters: ['hush'] })`
  expect(await logLine(`{ error: ${made}, meta: { error: ${made}, job: 7 } }`)).toMatchObject({ error, meta: { error, job: 7 } })
  expect(JSON.stringify(await logLine(`{ error: ${made} }`))).not.toContain('hush')
})

test('An AggregateError is logged with the messages of all its errors', async () => {
  const line = await logLine(`{ error: new AggregateError([new Error('refused on ::1'), new Error('refused on 127.0.0.1')]) }`)
  expect(line).toMatchObject({ error: { class: 'AggregateError', message: 'refused on ::1; refused on 127.0.0.1' } })
})

for (const name of ['secret', 'password', 'token', 'authorization', 'headers']) {
  test(`Fields named ${name} are redacted`, async () => {
    const line = await logLine(`{
      ${name}: 'hush-1', hook: { id: 'kept', ${name}: 'hush-2' }, error: Object.assign(new Error('no'), { ${name}: { key: 'hush-3' }, code: 'E1' }),
    }`)
    expect(JSON.stringify(line)).not.toContain('hush')
    expect(line).toMatchObject({ [name]: '[Redacted]', hook: { id: 'kept' }, error: { code: 'E1' } })
  })
}
