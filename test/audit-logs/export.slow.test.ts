import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { makeMachine } from '../support/service-accounts.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { write } from './support.ts'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const organization = async () => (await ada.make('/api/v1/organizations', { name: 'Exported' })).id as string
const path = (id: string, query = '') => `/api/v1/organizations/${id}/audit-logs/export${query}`
const download = (id: string, query = '') =>
  fetch(box.base + path(id, query), { headers: { Authorization: `Bearer ${ada.token}` } })
const lines = async (id: string, query = '') => {
  const text = await (await download(id, query)).text()
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => JSON.parse(line))
}
const running = async () => {
  const [{ count }] = await box.sql<[{ count: number }]>`
    select count(*) as count
    from pg_stat_activity
    where datname = current_database()
      and application_name = 'signalbox export'
      and state <> 'idle'
  `
  return count
}

test('an export contains what the filters select, as the list shows it, and is audited', async () => {
  const id = await organization()
  await write(box, id, 1234)
  const { items } = (await ada.get(`/api/v1/organizations/${id}/audit-logs?page_size=100`)).body
  const response = await download(id)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  expect(response.headers.get('content-disposition')).toContain('.ndjson"')
  expect(response.headers.get('x-total-count')).toBe('1235')
  const entries = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries).toHaveLength(1235)
  expect(entries.slice(0, 100)).toEqual(items)
  const [own] = (await ada.get(`/api/v1/organizations/${id}/audit-logs?action=audit_log.exported`)).body.items
  expect(own).toMatchObject({ actor_id: ada.id, resource_type: 'audit_log', resource_id: id })
  expect(own.detail).toBe('Ada exported 1235 entries of the audit log as ndjson.')

  expect(await lines(id, '?action=audit_log.*')).toEqual([own])
  expect(await lines(id, '?action=nothing')).toEqual([])
  expect(await lines(id, `?actor_id=${ada.id}`)).toHaveLength(4)
  expect(await lines(id, `?end_date=${items[99].created_at}&action=thing.done`)).toHaveLength(1234 - 99)
})

test('entries written during an export are not part of it', async () => {
  const id = await organization()
  await write(box, id, 60_000)
  const response = await download(id)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const first = await reader.read()
  await write(box, id, 5000, 'too.late')
  let text = new TextDecoder().decode(first.value)
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += new TextDecoder().decode(part.value)
  expect(text.match(/\n/g)).toHaveLength(60_001)
  expect(text).not.toContain('too.late')
})

test('CSV is quoted according to RFC 4180, and contains no spreadsheet formulas', async () => {
  const id = await organization()
  const DETAILS = ['plain', 'a, "b"\r\nc', '=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '=HYPERLINK("http://x","y")', ' =ok', '']
  await box.sql`
    insert into audit_log_entries (organization_id, actor_type, actor_name, action, resource_type, detail, created_at)
    select ${id}, 'system', 'Signalbox', 'csv.line', 'thing', detail, now() - number * interval '1 second'
    from unnest(${DETAILS}::text[]) with ordinality as line (detail, number)
  `
  const response = await download(id, '?format=csv&action=csv.*')
  expect(response.headers.get('content-type')).toStartWith('text/csv')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const records = text.split(/\r\n(?=[0-9a-f]{8}-|$)/)
  // With a byte order mark, so that spreadsheets read it as UTF-8; `text()` has dropped it.
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(records[0]).toBe(
    'id,organization_id,workspace_id,workspace_name,actor_type,actor_id,actor_name,action,resource_type,resource_id,detail,ip_address,created_at,seq,hash,via',
  )
  expect(records.at(-1)).toBe('')
  const details = records.slice(1, -1).map((record) => /,thing,,(.*),,[^,]*,[^,]*,[^,]*,[^,]*$/s.exec(record)?.[1])
  expect(details).toEqual([
    'plain',
    '"a, ""b""\r\nc"',
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\t=1",
    `"'=HYPERLINK(""http://x"",""y"")"`,
    ' =ok',
    '',
  ])
})

describe('An interrupted export', () => {
  test('does not look complete', async () => {
    const id = await organization()
    await write(box, id, 60_000)
    const response = await download(id)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await box.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'signalbox export'
    `
    const rest = (async () => {
      while (!(await reader.read()).done);
    })()
    await expect(rest).rejects.toThrow()
    expect(await lines(await organization())).toHaveLength(1)
  })

  test('ends when its caller is removed', async () => {
    const id = await organization()
    await write(box, id, 60_000)
    const bob = await box.user('Bob')
    await ada.make(`/api/v1/organizations/${id}/members`, { email: bob.email, role: 'admin' })
    const response = await fetch(box.base + path(id), { headers: { Authorization: `Bearer ${bob.token}` } })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    expect((await ada.delete(`/api/v1/organizations/${id}/members/${bob.id}`)).status).toBe(204)
    const rest = (async () => {
      while (!(await reader.read()).done);
    })()
    await expect(rest).rejects.toThrow()
  })

  test.each<[string, (account: string) => Promise<unknown>]>([
    ['is disabled', (account) => ada.put(`/api/v1/service-accounts/${account}`, { enabled: false })],
    ['loses its scope', (account) => ada.put(`/api/v1/service-accounts/${account}`, { scopes: ['work:read'] })],
  ])('ends when its service account %s', async (_, change) => {
    const id = await organization()
    await write(box, id, 60_000)
    const { account, key } = await makeMachine(box, ada, { organization: { id } }, ['audit:read'])
    const response = await fetch(box.base + path(id), { headers: { Authorization: `Bearer ${key.key}` } })
    expect(response.status).toBe(200)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await change(account.id)
    const rest = (async () => {
      while (!(await reader.read()).done);
    })()
    await expect(rest).rejects.toThrow()
  })

  test('releases its connection when the client disconnects', async () => {
    const id = await organization()
    await write(box, id, 60_000)
    for (let turn = 0; turn < 6; turn++) {
      const socket = connect(box.port, '127.0.0.1')
      await new Promise<void>((resolve, reject) => {
        socket.once('data', () => resolve())
        socket.once('error', reject)
        socket.write(`GET ${path(id)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\n\r\n`)
      })
      socket.destroy()
      await box.until('its connection is free', async () => (await running()) === 0)
    }
    expect(await lines(id, '?action=organization.*')).toHaveLength(1)
  })
})

test('an organization can run two exports at once, independently of others', async () => {
  const [id, other] = [await organization(), await organization()]
  await write(box, id, 60_000)
  const open = await Promise.all([download(id), download(id)])
  const refused = await download(id)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
  expect(await lines(other)).toHaveLength(1)
  // Both at once, since an export ends when nobody reads it for 20 seconds.
  const texts = await Promise.all(open.map((response) => response.text()))
  for (const text of texts) expect(text.match(/\n/g)?.length).toBeGreaterThanOrEqual(60_001)
  await box.until('both have finished', async () => (await running()) === 0)
  // On a machine that is busy with both, the server may count as away for a moment: 503.
  await box.until('there can be another one', async () => (await download(id, '?action=organization.*')).status === 200)
})

test('invalid parameters are refused and not audited', async () => {
  const id = await organization()
  for (const [query, pointer] of [
    ['format=xml', '/format'],
    ['page=1', '/page'],
    ['start_date=2026-01-02T00:00:00Z&end_date=2026-01-01T00:00:00Z', '/start_date'],
  ]) {
    const { status, body } = await ada.get(path(id, `?${query}`))
    expect([status, body.errors?.[0].pointer]).toEqual([422, pointer])
  }
  expect((await ada.get(`/api/v1/organizations/${id}/audit-logs`)).body.total).toBe(1)
})

test('HEAD returns the headers without exporting', async () => {
  const id = await organization()
  const response = await fetch(box.base + path(id), { method: 'HEAD', headers: { Authorization: `Bearer ${ada.token}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  expect((await ada.get(`/api/v1/organizations/${id}/audit-logs`)).body.total).toBe(1)
})
