import { expect, test } from 'bun:test'
import { PASSWORD, signalbox } from '../support/signalbox.ts'

test('signing in takes as long for an unknown address as for a wrong password', async () => {
  const real = await signalbox({ workers: 0, realPasswords: true })
  await real.request('POST', '/api/v1/auth/register', { email: 'timed@example.com', name: 'Timed', password: PASSWORD })
  const fastest = { 'timed@example.com': Number.POSITIVE_INFINITY, 'nobody@example.com': Number.POSITIVE_INFINITY }
  // Alternating, so that other load on the machine affects both.
  for (let each = 0; each < 8; each++) {
    for (const email of ['timed@example.com', 'nobody@example.com'] as const) {
      const begun = performance.now()
      await real.request('POST', '/api/v1/auth/login', { email, password: 'not the password' })
      fastest[email] = Math.min(fastest[email], performance.now() - begun)
    }
  }
  await real.close()
  const { 'timed@example.com': wrong, 'nobody@example.com': unknown } = fastest
  expect(unknown).toBeGreaterThan(wrong / 2)
  expect(wrong).toBeGreaterThan(unknown / 2)
})
