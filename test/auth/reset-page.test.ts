import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

test('the page behind a mailed link has both forms, loads nothing from elsewhere, and is not cached', async () => {
  const response = await fetch(`${box.base}/reset-password?token=secret`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('same-origin')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await response.text()
  expect(text).not.toContain('secret')
  for (const field of ['id="password"', 'id="email"', 'role="status"']) expect(text).toContain(field)
  const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(loaded.some((path) => /^\/assets\/\w+\/script\.js$/.test(path))).toBe(true)
  for (const path of loaded) expect([path, (await fetch(box.base + path)).status]).toEqual([path, 200])
})
