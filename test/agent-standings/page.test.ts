import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  visitor = await PageClient.signedIn(box, ada)
})
afterAll(() => box.close())

const path = () => `/app/organizations/${site.organization.id}/agents`

/** The cells of the table, by row. */
const rowsOf = (document: Document): string[][] =>
  [...document.querySelectorAll('table[aria-label="Agents compared"] tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''),
  )

test('the page shows rates with their intervals and cases, and what they cannot tell', async () => {
  expect((await visitor.open(path())).text).toContain('No executions were created in these months')
  for (const action of ['complete', 'complete', 'fail']) {
    const { id } = await box.running(ada, site.project.id)
    await ada.make(`/api/v1/executions/${id}/${action}`)
  }
  const page = await visitor.open(path())
  expect(rowsOf(page.document)).toEqual([['claude', '3', '67%21% to 94%, of 3', '–', '–', '–', '–', '–']])
  expect(page.text).toContain('Requirements differ in difficulty')
  expect((await visitor.open(`${path()}?to=2020-12`)).text).toContain('No executions were created in these months')
  const refused = await visitor.open(`${path()}?from=tomorrow`)
  expect([refused.status, refused.text.includes('must be a month as YYYY-MM')]).toEqual([422, true])
})

test('names of agents with markup, or that turn the direction of text, stay in their cells', async () => {
  const place = await box.site(ada, 'Hostile')
  // With characters that the API refuses now.
  const names = ['<script>alert(1)</script>', `\u202eevil${'x'.repeat(115)}`]
  for (const name of names) {
    const { id } = await box.running(ada, place.project.id)
    await box.sql`update executions set agent = ${name} where id = ${id}`
  }
  const page = await visitor.open(`/app/organizations/${place.organization.id}/agents`)
  expect(rowsOf(page.document).map(([name]) => name)).toEqual(names.toSorted())
  expect(page.document.querySelectorAll('td bdi')).toHaveLength(2)
  expect(page.html).not.toContain('<script>alert')
})

test('admins see the page, and members do not', async () => {
  const grace = await box.user('Grace')
  await box.join(grace, site, 'member', 'admin')
  const asMember = await PageClient.signedIn(box, grace)
  expect((await asMember.open(path())).status).toBe(403)
  expect((await asMember.open(`/app/organizations/${site.organization.id}`)).html).not.toContain(path())
  expect((await visitor.open(`/app/organizations/${site.organization.id}`)).html).toContain(path())
})
