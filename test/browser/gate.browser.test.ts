/** The page of a gate, and the page behind its mailed link, as people see them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { type Actor, type Answer, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

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
    await page.goto(`${box.base}/sign-in?next=/app/gates/${gate.id}`)
    await page.fill('#email', ada.email)
    await page.fill('#password', PASSWORD)
    await Promise.all([page.waitForURL(`**/app/gates/${gate.id}`), page.keyboard.press('Enter')])
    const heightOf = async (text: string) => (await page.getByText(text, { exact: true }).first().boundingBox())?.y ?? Number.NaN
    const heights = [await heightOf('Is it ready?'), await heightOf('An invoice has a due date.'), await heightOf('Approve')]
    expect(heights).toEqual(heights.toSorted((one, other) => one - other))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await page.evaluate('document.querySelector("h3 + ol > li:last-child").innerText')).toBe(
      'It names:\nthe customer\nthe sum',
    )
  })
})
