/** Limits of requests with mailed links. */
import { describe, expect, test } from 'bun:test'
import { Mailbox } from '../support/mailbox.ts'
import { PageClient } from '../support/page-client.ts'
import { PASSWORD, signalbox } from '../support/signalbox.ts'

describe('With the default limits', () => {
  test('a network gets ten requests with links per minute, and a mailbox is not limited for others', async () => {
    const limited = await signalbox({ workers: 0, environment: { RATE_LIMIT: '', TRUST_PROXY: '1' } })
    try {
      const from = (address: string, email: string) =>
        limited.request('POST', '/api/v1/auth/password-reset', { email }, { 'X-Forwarded-For': address })
      const statuses: number[] = []
      for (let each = 0; each < 11; each++) statuses.push((await from('192.0.2.1', `person${each}@example.com`)).status)
      expect(statuses).toEqual([...Array(10).fill(202), 429])
      const toOne: number[] = []
      for (let each = 0; each < 11; each++) toOne.push((await from(`192.0.2.${each + 10}`, 'One@example.com')).status)
      expect(toOne).toEqual(Array(11).fill(202))
    } finally {
      await limited.close()
    }
  })

  test('the addresses of an IPv6 /64 are one client, and an IPv4 address in IPv6 is itself', async () => {
    const limited = await signalbox({ workers: 0, environment: { RATE_LIMIT: '', TRUST_PROXY: '1' } })
    try {
      const at = (address: string) => ({ 'X-Forwarded-For': address })
      const login = async (address: string) => {
        const credentials = { email: `${crypto.randomUUID()}@example.com`, password: 'wrong password' }
        return (await limited.request('POST', '/api/v1/auth/login', credentials, at(address))).status
      }
      const register = async (address: string) => {
        const account = { email: `${crypto.randomUUID()}@example.com`, name: 'Many', password: PASSWORD }
        return (await limited.request('POST', '/api/v1/auth/register', account, at(address))).status
      }
      const hosts = Array.from({ length: 12 }, (_, index) => `2001:db8:5:6:${index.toString(16)}::1`)
      const sorted = async (all: Promise<number>[]) => (await Promise.all(all)).sort()
      expect(await sorted(hosts.map(login))).toEqual([...Array(10).fill(401), 429, 429])
      expect(await sorted(hosts.map(register))).toEqual([...Array(10).fill(201), 429, 429])
      expect(await login('2001:db8:5:7::1')).toBe(401)
      const mapped = ['192.0.2.77', '::ffff:192.0.2.77', '::ffff:c000:24d']
      expect(await sorted(Array.from({ length: 12 }, (_, index) => login(mapped[index % 3] as string)))).toEqual([
        ...Array(10).fill(401),
        429,
        429,
      ])
      expect(await login('::ffff:192.0.2.78')).toBe(401)
    } finally {
      await limited.close()
    }
  })

  test('an account gets ten new addresses a day, each of which is mailed a link', async () => {
    const mail = await Mailbox.open()
    const limited = await signalbox({ workers: 0, environment: { ...mail.environment, RATE_LIMIT: '' } })
    try {
      const user = await limited.register('Eve')
      const statuses: number[] = []
      for (let each = 0; each < 11; each++) {
        const change = { email: `stranger${each}@example.com`, current_password: PASSWORD }
        statuses.push((await user.put('/api/v1/users/me', change)).status)
      }
      expect(statuses).toEqual([...Array(10).fill(200), 429])
      expect((await user.get('/api/v1/users/me')).body.pending_email).toBe('stranger9@example.com')
    } finally {
      await limited.close()
    }
  })

  test('strangers who ask for resets neither end the link of a person nor keep them from getting one', async () => {
    const mail = await Mailbox.open()
    const limited = await signalbox({ environment: { ...mail.environment, RATE_LIMIT: '', TRUST_PROXY: '1' } })
    try {
      const user = await limited.register('Grace Hopper')
      const at = (address: string) => ({ 'X-Forwarded-For': address })
      const ask = (address: string) => limited.request('POST', '/api/v1/auth/password-reset', { email: user.email }, at(address))
      expect((await ask('192.0.2.1')).status).toBe(202)
      const own = await mail.token(limited, user.email, 'reset-password')
      const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(`198.51.100.${index}`)))
      expect(asked.map(({ status }) => status)).toEqual(Array(20).fill(202))
      await mail.quiet(limited)
      const links = mail.to(user.email).filter(({ text }) => text.includes('/reset-password?token='))
      expect(links).toHaveLength(5)
      const confirm = (token: string) =>
        limited.request('POST', '/api/v1/auth/password-reset/confirm', { token, password: 'a new password to keep' })
      expect((await confirm(own)).status).toBe(204)
      for (const { text } of links) {
        const [, token = ''] = /reset-password\?token=([\w-]+)/.exec(text) ?? []
        expect((await confirm(token)).status).toBe(422)
      }
    } finally {
      await limited.close()
    }
  })
})

test('Requests with links are limited by address, as with other mailed links', async () => {
  const limited = await signalbox({ workers: 0, environment: { RATE_LIMIT: '1', RATE_LIMIT_BURST: '3' } })
  const stranger = new PageClient(limited)
  // At once, because the bucket fills by one request per second.
  const pages = await Promise.all(Array.from({ length: 12 }, () => stranger.open('/decide?token=x')))
  await limited.close()
  const passed = pages.filter(({ status }) => status === 410)
  expect(passed.length).toBeGreaterThanOrEqual(3)
  expect(passed.length).toBeLessThan(12)
  expect(pages.filter(({ status }) => status === 429)).toHaveLength(12 - passed.length)
})
