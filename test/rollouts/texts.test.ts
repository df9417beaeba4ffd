/** The texts of reports: all members of the workspace see them, and what a job prints may contain its secrets. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { REPORT_TOKEN, REPORT_URL, RolloutWorkbench } from './workbench.ts'

type Body = Answer['body']

const SECRETS = ['correct-horse-battery', 'k-4711-header-value', 'glptt-0f1e2d3c4b5a']
const MASK = '********'

let bench: RolloutWorkbench

beforeAll(async () => {
  bench = await RolloutWorkbench.open()
})

afterAll(() => bench.close())

/** A delivered dispatch whose receiver knows three secrets, and its report token. */
async function withSecrets() {
  const [secret, header, value] = SECRETS
  const { hook, receiver } = await bench.reporting({
    secret,
    headers: { 'X-Api-Key': header },
    body_template: { token: '{{secret:trigger}}' },
    template_secrets: { trigger: value },
  })
  const dispatch = await bench.triggered(hook)
  return { hook, dispatch, token: await bench.tokenOf(receiver, dispatch) }
}

const reportOf = ({ body }: Answer): Body => [body.rollout.version, body.rollout.url, body.rollout.description]

describe('the texts of a report', () => {
  test('have no secrets of the hook, its headers and the body, and no tokens', async () => {
    const { hook, dispatch, token } = await withSecrets()
    const secrets = [...SECRETS, token]
    for (const secret of secrets) {
      const input = { state: 'in_progress', version: `v1-${secret}`, description: `curl -H "Authorization: ${secret}"\nfailed` }
      const found = await bench.reportWith(token, dispatch, input)
      expect(reportOf(found)).toEqual([`v1-${MASK}`, null, `curl -H "Authorization: ${MASK}"\nfailed`])
    }
    const encoded = Buffer.from(`user:${SECRETS[2]}`).toString('base64')
    const { body } = await bench.reportWith(token, dispatch, { state: 'in_progress', description: `Basic ${encoded}` })
    expect(body.rollout.description).not.toContain(encoded)
    // Another dispatch's token, a pull token and the caller's own.
    const other = `sbx_rep_${'a'.repeat(43)}`
    const own = await bench.admin.make('/api/v1/auth/tokens', { name: 'CI', scope: 'write', expires_at: null })
    const description = `${other} sbx_pull_${'b'.repeat(43)} ${own.token}`
    const { body: last } = await bench.report(dispatch, { state: 'succeeded', description })
    expect(last.rollout.description).toBe([MASK, MASK, MASK].join(' '))

    // Also of a secret that the hook no longer has.
    await bench.change(hook, { body_template: null, template_secrets: null })
    const { hook: _, ...again } = await withSecrets()
    const kept = await bench.reportWith(again.token, again.dispatch, { state: 'failed', description: SECRETS[2] })
    expect(kept.body.rollout.description).toBe(MASK)
    const [entry] = await bench.box.sql`select count(*)::integer as count from rollouts where description like '%glptt%'`
    expect(entry?.count).toBe(0)
  })

  test('are not longer than allowed once they are masked', async () => {
    const { hook } = await bench.reporting({ secret: 'a' })
    const dispatch = await bench.triggered(hook)
    const { status, body } = await bench.report(dispatch, {
      state: 'succeeded',
      version: 'a '.repeat(60),
      description: 'a '.repeat(1000),
    })
    expect([status, body.rollout.version.length, body.rollout.description.length]).toEqual([200, 120, 2000])
  })

  test('have no url with a secret or credentials: masked it would lead nowhere', async () => {
    const { dispatch, token } = await withSecrets()
    const refused = [
      ...[...SECRETS, token].map((secret) => [`https://ci.example.com/?key=${secret}`, 'contains_secret']),
      ['https://ci.example.com/?key=glptt%2D0f1e2d3c4b5a', 'contains_secret'],
      ['https://ada:pw@ci.example.com/runs/1', 'credentials_in_url'],
      ['https://ada@ci.example.com/runs/1', 'credentials_in_url'],
    ]
    for (const [url, code] of refused) {
      const { status, body } = await bench.reportWith(token, dispatch, { state: 'succeeded', url })
      expect([status, body.errors]).toEqual([422, [{ pointer: '/url', code, detail: expect.stringContaining('members') }]])
      expect(JSON.stringify(body)).not.toContain(url as string)
    }
    expect((await bench.dispatch(dispatch.id)).rollout.state).toBe('awaiting')
    const url = 'https://ci.example.com/runs/4711?tab=log#12'
    expect(reportOf(await bench.reportWith(token, dispatch, { state: 'succeeded', url }))).toEqual([null, url, null])
  })

  test('have a version and a url of one line, which do not reorder the text around them', async () => {
    const { dispatch, token } = await withSecrets()
    for (const character of ['\n', '\t', '\u001b', '\u202e', '\u2066', '\u200f', '\u0085', '\u2028']) {
      for (const [name, value] of [
        ['version', `v1${character}2`],
        ['url', `https://ci.example.com/${character}2`],
      ] as const) {
        const { status, body } = await bench.reportWith(token, dispatch, { state: 'succeeded', [name]: value })
        expect([status, body.errors]).toEqual([
          422,
          [{ pointer: `/${name}`, code: 'malformed', detail: expect.stringContaining('line breaks') }],
        ])
      }
    }
    for (const url of ['javascript:alert(1)', 'ftp://ci.example.com/', 'data:text/html,x', '//ci.example.com/'])
      expect((await bench.reportWith(token, dispatch, { state: 'succeeded', url })).status).toBe(422)
    const version = 'גרסה ۱ 🚂'
    expect((await bench.reportWith(token, dispatch, { state: 'succeeded', version })).body.rollout.version).toBe(version)
  })
})

describe('a report of a CI system', () => {
  const { digest, ...plain } = {
    state: 'succeeded',
    version: 'v1.5.0',
    url: 'https://ci.example.com/1',
    digest: { sha256: 'a'.repeat(64) },
  }
  const form = { ...plain, digest: JSON.stringify(digest) }
  const multipart = new FormData()
  for (const [name, value] of Object.entries(form)) multipart.append(name, value)
  const bodies: [string, BodyInit, string | null][] = [
    ['a form', new URLSearchParams(form), null],
    ['a multipart form', multipart, null],
    ['JSON as curl -d sends it', JSON.stringify({ ...plain, digest }), 'application/x-www-form-urlencoded'],
    ['JSON after a line break', `\n  ${JSON.stringify({ ...plain, digest })}`, 'application/x-www-form-urlencoded'],
    ['JSON as text', JSON.stringify({ ...plain, digest, description: '' }), 'text/plain;charset=UTF-8'],
  ]
  test.each(bodies)('may be %s', async (_, body, type) => {
    const { hook, receiver } = await bench.reporting()
    await bench.triggered(hook)
    const [{ headers = {} } = {}] = await receiver.waitFor(1)
    const url = new URL(headers[REPORT_URL] ?? '')
    const sent = await fetch(`${bench.box.base}${url.pathname}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${headers[REPORT_TOKEN]}`, ...(type ? { 'Content-Type': type } : {}) },
      body,
    })
    const answer = (await sent.json()) as { rollout: unknown }
    expect([sent.status, answer.rollout]).toMatchObject([200, { ...plain, digest, description: null }])
  })

  test('keeps the version where a variable is empty, and names the state where it is', async () => {
    const { hook } = await bench.reporting()
    const dispatch = await bench.triggered(hook)
    const report = (body: object) => bench.admin.post(`/api/v1/dispatches/${dispatch.id}/report`, body)
    await report({ state: 'in_progress', version: 'v1.5.0' })
    const { status, body } = await report({ state: 'succeeded', version: '', url: '', description: '' })
    expect([status, body.rollout.version]).toEqual([200, 'v1.5.0'])
    expect((await report({ state: '', version: 'v1' })).body.errors).toMatchObject([{ pointer: '/state', code: 'required' }])
  })
})
