/** The page on which a gate with a subject is reviewed, as people see it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, openBrowser, signIn, violations } from '../support/browser.ts'
import { type Actor, type Answer, type Box, signalbox } from '../support/signalbox.ts'

const LONG = 'a-very-long-name-without-any-space-in-it-'.repeat(4)

const REVIEWED = {
  name: 'Release 1.5.0',
  description: 'Invoices get a due date. Is it ready for production?',
  environment: 'production',
  subject: {
    uri: 'pkg:oci/checkout?repository_url=ghcr.io/acme/checkout&tag=v1.5.0',
    digest: { sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    version: 'v1.5.0',
  },
  evidence: {
    summary: 'Adds the column due_at and a nightly job that mails reminders.',
    metrics: { tests_passed: 418, tests_failed: 2, lines_added: 312, duration_seconds: 740 },
    checks: [
      {
        name: 'Load test',
        state: 'failed',
        url: 'https://ci.example.com/runs/4711',
        detail: 'p99 is 900 ms; the limit is 500 ms.',
      },
      { name: LONG, state: 'failed' },
      { name: 'Fuzzing', state: 'skipped' },
      ...Array.from({ length: 41 }, (_, number) => ({ name: `Test ${number}`, state: 'passed' })),
    ],
    links: [{ label: 'Pull request', url: 'https://git.example.com/acme/checkout/pull/12' }],
  },
  fields: [
    { name: 'ticket', label: 'Change ticket', type: 'text' },
    { name: 'rehearsed', label: 'Was the rollback rehearsed?', type: 'boolean' },
    { name: 'window', label: 'Window', type: 'choice', choices: ['today', 'tonight'] },
  ],
  required_approvals: 2,
  expires_in_seconds: 86_400,
}

const LOOKS = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const

describe.skipIf(!hasBrowser)('The review of a gate', () => {
  let box: Box
  let browser: Browser
  let ada: Actor
  let gate: Answer['body']

  beforeAll(async () => {
    ;[box, browser] = await Promise.all([signalbox(), openBrowser()])
    ada = await box.user('Ada')
    const { project } = await box.site(ada)
    await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy to production',
      url: 'http://127.0.0.1:1/',
      trigger_on: 'gate_approved',
    })
    const requirement = await ada.make(`/api/v1/projects/${project.id}/requirements`, {
      title: 'Invoices have a due date',
      acceptance_criteria: ['An invoice has a due date.'],
    })
    const start = async () => {
      const { id } = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude-code' })
      await ada.make(`/api/v1/executions/${id}/start`)
      return id
    }
    await ada.make(`/api/v1/executions/${await start()}/fail`, { metrics: { tests_passed: 400, tests_failed: 20 }, cost_usd: 3 })
    const execution_id = await start()
    await ada.make(`/api/v1/executions/${execution_id}/usage`, { cost_usd: 12.4 })
    gate = await ada.make(`/api/v1/executions/${execution_id}/gates`, REVIEWED)
  })
  afterAll(async () => {
    await browser.close()
    await box.close()
  })

  async function opened({ width, colorScheme }: (typeof LOOKS)[number]): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    return signIn(page, box.base, ada.email, `/app/gates/${gate.id}`)
  }

  for (const look of LOOKS) {
    test(`is accessible and fits at ${look.width} px in ${look.colorScheme}, failed checks before the buttons`, async () => {
      const page = await opened(look)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(look.width)
      const top = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? Number.NaN
      const tops = [
        await top('Load test'),
        await top('v1.5.0'),
        await top('What an approval does'),
        await top('41 checks passed'),
      ]
      expect(tops).toEqual(tops.toSorted((one, other) => one - other))
      const link = page.getByRole('link', { name: 'Go to your decision' })
      if (look.width > 390) {
        expect(await link.isVisible()).toBe(false)
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      } else {
        expect(await top('Approve')).toBeGreaterThan(await top('41 checks passed'))
        await link.click()
      }
      const buttons = await page.getByRole('button', { name: 'Approve' }).boundingBox()
      expect(buttons?.y).toBeWithin(0, 900)
    })
  }

  test('is decided by keyboard, with answers', async () => {
    const page = await opened(LOOKS[2])
    await page.focus('[name="answers/ticket"]')
    await page.keyboard.type('OPS-4711')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type('tonight')
    await page.getByRole('button', { name: 'Approve' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('You approved this gate: 1 of 2 approvals.').waitFor()
    const { body } = await ada.get(`/api/v1/gates/${gate.id}`)
    expect(body.approvals).toMatchObject([{ answers: { ticket: 'OPS-4711', rehearsed: true, window: 'tonight' } }])
  })
})
