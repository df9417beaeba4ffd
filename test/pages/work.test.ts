/** The pages of executions, deliverables and comparisons, without a script. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { render } from '../../worker/deliverables/render.tsx'
import { compare, comparison } from '../dual-track/tracks.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

/** Markup in the names that people and agents choose. */
const MARKUP = '<img src=x onerror=alert(1)>"\'&'

let box: Box
let owner: Actor
let member: Actor
let site: Site
let visitor: PageClient
let reader: PageClient

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Owner')
  member = await box.user('Member')
  site = await box.site(owner)
  await box.join(member, site, 'member', 'member')
  visitor = await PageClient.signedIn(box, owner)
  reader = await PageClient.signedIn(box, member)
})
afterAll(() => box.close())

async function running(agent = 'claude', title = 'Pay by invoice'): Promise<Answer['body']> {
  const requirement = await owner.make(`/api/v1/projects/${site.project.id}/requirements`, { title })
  const execution = await owner.make(`/api/v1/requirements/${requirement.id}/executions`, { agent })
  return owner.make(`/api/v1/executions/${execution.id}/start`)
}

const timeline = ({ document }: Visit) =>
  [...document.querySelectorAll('.timeline li > div')].map((item) => item.textContent?.replaceAll(/\s+/g, ' ').trim())

/** Expects a refusal because the thing has changed, on its page as it is now. */
function expectChanged(page: Visit, state: string): void {
  expect(page.status).toBe(409)
  expect(page.document.querySelector('[role=alert]')?.textContent).toMatch(/\S/)
  expect(page.document.querySelector('main > .heading .pill')?.textContent).toBe(state)
}

describe('The page of an execution', () => {
  test('shows its events in order, its gates, cost, metrics and artifacts', async () => {
    const { id } = await running()
    const gate = await owner.make(`/api/v1/executions/${id}/gates`, { name: 'Release review', required_approvals: 2 })
    const lead = await box.user('Lead')
    await box.join(lead, site, 'member', 'admin')
    await owner.make(`/api/v1/gates/${gate.id}/approve`)
    await lead.make(`/api/v1/gates/${gate.id}/approve`)
    await owner.make(`/api/v1/executions/${id}/complete`, {
      summary: 'All\ndone',
      cost_usd: 1234.5,
      metrics: { tests_passed: 1042 },
      artifacts: [
        { name: 'Pull request', kind: 'pr', url: 'https://git.example.com/pr/1' },
        { name: 'notes.md', content: '# Notes\n<b>bold</b>' },
      ],
    })
    const page = await reader.open(`/app/executions/${id}`)
    expect(timeline(page)).toEqual([
      'Queued by Owner',
      'Started by Owner',
      'Gate opened Release review by Owner',
      'Gate approved, 1 of 2 Release review by Owner through the API',
      'Gate approved Release review by Lead through the API',
      'Completed',
    ])
    expect([...page.document.querySelectorAll('.timeline time')].map((time) => time.getAttribute('datetime'))).toEqual(
      Array(6).fill(expect.stringMatching(/^\d{4}-\d\d-\d\dT/)),
    )
    for (const part of ['$1,234.50', 'tests passed', '1,042', '2 of 2', 'Pay by invoice']) expect(page.text).toContain(part)
    const link = page.document.querySelector('ul[aria-label=Artifacts] .what a')
    expect([link?.getAttribute('href'), link?.getAttribute('rel')]).toEqual([
      'https://git.example.com/pr/1',
      'noopener noreferrer',
    ])
    const content = page.document.querySelector('a[href$="artifact=2#artifact"]')?.getAttribute('href') ?? ''
    const shown = await reader.open(content.split('#')[0] ?? '')
    expect(shown.document.querySelector('#artifact pre')?.textContent).toBe('# Notes\n<b>bold</b>')
    expect(shown.html).toContain('&lt;b>bold')
  })

  test('is cancelled by its button; a second time shows that it was', async () => {
    const { id } = await running()
    const page = await reader.open(`/app/executions/${id}`)
    const done = await reader.press(page, 'Cancel execution')
    expect(done.text).toContain('The execution was cancelled.')
    expect((await owner.get(`/api/v1/executions/${id}`)).body.status).toBe('cancelled')
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=execution.cancelled`)
    expect(body.items[0]).toMatchObject({ resource_id: id, actor_id: member.id })
    expectChanged(await reader.press(page, 'Cancel execution'), 'cancelled')
    expect(done.document.querySelector('form[action$="/cancel"]')).toBeNull()
  })

  test('shows the error of one whose gate was rejected', async () => {
    const rejected = await running()
    const gate = await owner.make(`/api/v1/executions/${rejected.id}/gates`, { name: 'Review' })
    await owner.make(`/api/v1/gates/${gate.id}/reject`)
    const page = await reader.open(`/app/executions/${rejected.id}`)
    expect(page.document.querySelector('.failed')?.textContent).toBe('The gate Review was rejected.')
    expect(timeline(page).slice(-2)).toEqual(['Gate rejected Review by Owner through the API', 'Failed'])
  })

  test('escapes markup, and links only to http and https', async () => {
    const { id } = await running(MARKUP, MARKUP)
    await owner.make(`/api/v1/executions/${id}/gates`, { name: MARKUP })
    const [{ gate_id }] = await box.sql<[{ gate_id: string }]>`select id as gate_id from gates where execution_id = ${id}`
    await owner.make(`/api/v1/gates/${gate_id}/approve`, { comment: MARKUP })
    await owner.make(`/api/v1/executions/${id}/complete`, {
      summary: MARKUP,
      metrics: { [MARKUP]: 1 },
      artifacts: [{ name: MARKUP, kind: MARKUP, content: MARKUP }],
    })
    // The API accepts no such address, but the page does not rely on that.
    await box.sql`
      update executions set artifacts = artifacts || '[{"name":"evil","url":"javascript:alert(1)"}]'::jsonb where id = ${id}
    `
    const { html, document } = await visitor.open(`/app/executions/${id}?artifact=1`)
    expect([document.querySelector('img'), html.includes('<img')]).toEqual([null, false])
    expect(html).not.toContain('href="javascript')
  })
})

describe('The page of a deliverable', () => {
  async function document(deliverable_type = 'project_summary'): Promise<Answer['body']> {
    const generate = `/api/v1/projects/${site.project.id}/deliverables/generate`
    return (await owner.post(generate, { deliverable_type }, { Prefer: 'wait=20' })).body
  }

  test('shows the document below its heading, with its state and source', async () => {
    const { id, title, content } = await document()
    expect(content).toContain('# ')
    const page = await reader.open(`/app/deliverables/${id}`)
    expect([page.status, page.document.querySelectorAll('h1').length]).toEqual([200, 1])
    expect(page.document.querySelector('h1')?.textContent).toBe(title)
    const article = page.document.querySelector('article.document')
    expect(article?.querySelector('h2')).not.toBeNull()
    expect([...(article?.querySelectorAll('th') ?? [])].filter((head) => head.textContent === '')).toEqual([])
    const scrolling = [...(article?.querySelectorAll('.wide, pre') ?? [])].map((each) => each.getAttribute('tabindex'))
    expect(new Set(scrolling)).toEqual(new Set(['0']))
    for (const part of ['draft', 'Version', 'Data of', 'template/1']) expect(page.text).toContain(part)
    expect(page.html).not.toMatch(/<style|style=/)
  })

  test('contains no markup of names, and only links that cannot run scripts', async () => {
    const { id } = await document()
    const hostile = [
      '# A',
      '<script>alert(1)</script><img src=x onerror=alert(1)>',
      '[a](javascript:alert(1)) [b](https://b.example) [c](data:text/html,x)',
      '| a |\n| - |\n| <b onclick=x>1</b> |',
      '```html\n<i>code</i>\n```',
    ].join('\n\n')
    await box.sql`update deliverables set content = ${hostile}, parts = ${await render(hostile)} where id = ${id}`
    const { document: shown, html } = await visitor.open(`/app/deliverables/${id}`)
    const article = shown.querySelector('article.document')
    expect(article?.querySelectorAll('script, img, b, [onclick], [onerror], i').length).toBe(0)
    expect(html).not.toMatch(/javascript:|data:text/)
    const link = article?.querySelector('a[href]')
    expect([link?.getAttribute('href'), link?.getAttribute('rel')]).toEqual(['https://b.example', 'noopener noreferrer'])
    expect(article?.querySelector('pre code')?.textContent).toBe('<i>code</i>\n')
  })

  test('shows a long document in parts', async () => {
    const { id } = await document()
    const content = Array.from({ length: 300 }, (_, index) => `## Section ${index}\n\n${'word '.repeat(80)}`).join('\n\n')
    await box.sql`update deliverables set content = ${content}, parts = ${await render(content)} where id = ${id}`
    const first = await reader.open(`/app/deliverables/${id}`)
    expect(first.text).toContain('Part 1 of')
    expect(first.text).not.toContain('Section 299')
    expect(first.html.length).toBeLessThan(70 * 1024)
    const parts = Number(/Part 1 of (\d+)/.exec(first.text)?.[1])
    expect((await reader.open(`/app/deliverables/${id}?part=${parts}`)).text).toContain('Section 299')
    expect((await reader.open(`/app/deliverables/${id}?part=99`)).text).toContain('To the first part')
  })

  test('is published and archived by admins; a late button shows its state', async () => {
    const { id } = await document('changelog')
    const page = await visitor.open(`/app/deliverables/${id}`)
    const published = await visitor.press(page, 'Publish')
    expect(published.text).toContain('The document was published.')
    expectChanged(await visitor.press(page, 'Publish'), 'published')
    expect((await visitor.press(published, 'Archive')).text).toContain('The document was archived.')
    expectChanged(await visitor.press(page, 'Archive'), 'archived')
    expect((await owner.get(`/api/v1/deliverables/${id}`)).body.status).toBe('archived')
    const { body } = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=deliverable.published`)
    expect(body.items[0]).toMatchObject({ resource_id: id, actor_id: owner.id })
  })

  test('has no form for members, who are refused', async () => {
    const { id } = await document()
    const page = await reader.open(`/app/deliverables/${id}`)
    expect(page.document.querySelector('main form')).toBeNull()
    expect(page.text).toContain('An admin of the workspace can publish or archive it.')
    for (const action of ['publish', 'archive']) expect((await reader.post(`/app/deliverables/${id}/${action}`)).status).toBe(403)
    expect((await owner.get(`/api/v1/deliverables/${id}`)).body.status).toBe('draft')
  })

  test('says that a document is being generated, or why it failed', async () => {
    const { id } = await document()
    await box.sql`update deliverables set status = 'generating', content = null, parts = null, source = null where id = ${id}`
    expect((await reader.open(`/app/deliverables/${id}`)).text).toContain('The document is being generated.')
    await box.sql`update deliverables set status = 'failed', error = ${MARKUP} where id = ${id}`
    const failed = await reader.open(`/app/deliverables/${id}`)
    expect(failed.document.querySelector('.failed')?.textContent).toContain(MARKUP)
    expect(failed.document.querySelector('img')).toBeNull()
  })
})

describe('The page of a comparison', () => {
  const create = (agents?: [string, string]): Promise<Answer['body']> =>
    comparison(owner, site.project.id, {
      a: [{ report: { cost_usd: 2, metrics: { tests_passed: 9, tests_failed: 1 } } }],
      b: [{ report: { cost_usd: 1, metrics: { tests_passed: 10, tests_failed: 0 } } }],
      agents,
    })

  test('shows both tracks before it is compared, and then the criteria as bars and the verdict in words', async () => {
    const { id } = await create()
    const before = await reader.open(`/app/dual-track/${id}`)
    expect(before.text).toContain('Not compared yet')
    expect([...before.document.querySelectorAll('.grid h3')].map((heading) => heading.textContent?.trim())).toEqual([
      'alpha-coder (a)',
      'beta-coder (b)',
    ])
    const after = await reader.press(before, 'Compare')
    const { result } = (await owner.get(`/api/v1/dual-track/${id}`)).body
    expect(after.text).toContain('The judge recommends beta-coder (b).')
    expect(after.text).toContain(result.rationale.replaceAll(/\s+/g, ' '))
    const [tests] = after.document.querySelectorAll('.criteria li')
    expect(tests?.textContent).toContain('tests pass rate')
    expect(tests?.textContent).toContain('90%')
    expect([...(tests?.querySelectorAll('.part') ?? [])].map((bar) => bar.getAttribute('width'))).toEqual(['90', '100'])
    expect(after.document.querySelector('[name=winner][checked]')?.getAttribute('value')).toBe('b')
  })

  test('is decided once; later buttons show the decision', async () => {
    const { id } = await create()
    const page = await reader.open(`/app/dual-track/${id}`)
    const done = await reader.press(page, 'Decide', { winner: 'a' })
    expect(done.text).toContain('Member decided for alpha-coder (a)')
    expect((await owner.get(`/api/v1/dual-track/${id}`)).body).toMatchObject({ winner: 'a', decided_by: member.id })
    expectChanged(await reader.post(`/app/dual-track/${id}/decide`, { winner: 'b' }), 'decided')
    expectChanged(await reader.press(page, 'Compare'), 'decided')
    expectChanged(await reader.press(page, 'Cancel comparison'), 'decided')
    expect(done.document.querySelector('main form')).toBeNull()
  })

  test('asks for a track where none was chosen', async () => {
    const { id } = await create()
    const refused = await reader.post(`/app/dual-track/${id}/decide`)
    expect(refused.status).toBe(422)
    expect(refused.document.querySelector('form [role=alert]')?.textContent).toContain('winner')
    const wrong = await reader.post(`/app/dual-track/${id}/decide`, { winner: 'c' })
    expect(wrong.status).toBe(422)
    expect((await owner.get(`/api/v1/dual-track/${id}`)).body.status).toBe('created')
  })

  test('is cancelled by its button', async () => {
    const { id } = await create()
    const done = await reader.press(await reader.open(`/app/dual-track/${id}`), 'Cancel comparison')
    expect(done.text).toContain('The comparison was cancelled.')
    expect((await owner.get(`/api/v1/dual-track/${id}`)).body.status).toBe('cancelled')
  })

  test('escapes markup in the names of agents and in the rationale', async () => {
    const { id } = await create([MARKUP, `${MARKUP}2`])
    await compare(owner, id)
    const { document, html } = await visitor.open(`/app/dual-track/${id}`)
    expect([document.querySelector('img'), html.includes('<img')]).toEqual([null, false])
    const stranger = await PageClient.signedIn(box, await box.user('Outsider'))
    expect((await stranger.open(`/app/dual-track/${id}`)).status).toBe(404)
    expect((await stranger.post(`/app/dual-track/${id}/cancel`)).status).toBe(404)
  })
})
