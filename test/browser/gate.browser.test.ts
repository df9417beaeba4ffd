/** The page of a gate, and the page behind its mailed link, as people see them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { newDecisionToken } from '../../core/security/mail-tokens.ts'
import { hasBrowser, openBrowser, signIn } from '../support/browser.ts'
import { type Actor, type Answer, type Box, signalbox } from '../support/signalbox.ts'

describe.skipIf(!hasBrowser)('The page of a gate', () => {
  let box: Box
  let browser: Browser
  let ada: Actor
  let gate: Answer['body']

  beforeAll(async () => {
    ;[box, browser] = await Promise.all([signalbox(), openBrowser()])
    ada = await box.user('Ada')
    const { project } = await box.site(ada)
    const requirement = await ada.make(`/api/v1/projects/${project.id}/requirements`, {
      title: 'Pay by invoice',
      acceptance_criteria: ['An invoice has a due date.', 'It names:\nthe customer\nthe sum'],
    })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
    await ada.make(`/api/v1/executions/${execution.id}/start`)
    gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review', description: 'Is it ready?' })
  })
  afterAll(async () => {
    await browser.close()
    await box.close()
  })

  test('has the question above the buttons on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 900 } })
    await signIn(page, box.base, ada.email, `/app/gates/${gate.id}`)
    const heightOf = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? Number.NaN
    const heights = [await heightOf('Is it ready?'), await heightOf('An invoice has a due date.'), await heightOf('Approve')]
    expect(heights).toEqual(heights.toSorted((one, other) => one - other))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await page.evaluate('document.querySelector("h3 + ol > li:last-child").innerText')).toBe(
      'It names:\nthe customer\nthe sum',
    )
  })

  test('has a gap between what is asked and the requirement, where a mailed link leads', async () => {
    const { token, hash } = newDecisionToken(gate.id)
    await box.sql`
      insert into decision_links (hash, organization_id, gate_id, user_id, email, expires_at)
      select ${hash}, organization_id, id, ${ada.id}, ${ada.email}, now() + interval '1 hour'
      from gates
      where id = ${gate.id}
    `
    const page = await browser.newPage({ viewport: { width: 390, height: 900 } })
    await page.goto(`${box.base}/decide?token=${token}`)
    const [question, requirement] = await Promise.all(
      ['Is it ready?', '#1 Pay by invoice'].map((text) => page.getByText(text, { exact: true }).boundingBox()),
    )
    if (!question || !requirement) throw new Error('The page does not show what is asked')
    expect(requirement.y).toBeGreaterThan(question.y + question.height + 5)
  })
})
