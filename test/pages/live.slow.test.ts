/** Which pages follow changes, and whose. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { crawl } from '../browser/crawl.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

/** Pages that follow nothing, each with the reason. All others do by themselves. */
const NOT_LIVE: Record<string, string> = {
  '/app/search': 'its results are an answer, which stays until the next question',
}

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox()
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const placeOf = ({ organization, workspace, project }: Site) => `in:${organization.id}/${workspace.id}/${project.id}`

/** The versions of pages, as a stream sends them. */
class Stream {
  readonly versions = new Map<string, string>()
  /** Pages that the person may not see. */
  readonly lost: string[] = []

  private constructor(readonly visitor: PageClient) {}

  /** Opens a stream; what the sign-in has changed is over then. */
  static async open(actor: Actor, ...pages: string[]): Promise<Stream> {
    const stream = new Stream(await PageClient.signedIn(box, actor))
    const response = await stream.visitor.send('GET', `/app/live?pages=${pages.join()}`)
    expect(response.status).toBe(200)
    void stream.#read(response.body as ReadableStream<Uint8Array>)
    await box.until('each page was looked at', async () => stream.versions.size + stream.lost.length === pages.length)
    const before = new Map(stream.versions)
    await actor.put('/api/v1/users/me', { name: `${actor.name} ${Date.now()}` })
    const ofReader = [...before].filter(([page]) => page !== 'overview')
    await box.until('all have changed', async () => ofReader.every(([page, version]) => stream.versions.get(page) !== version))
    return stream
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = ''
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk)
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, name, page = '', version = ''] = /^event: (\w+)\ndata: (\S+) ?(\S*)/.exec(event) ?? []
        if (name === 'change') this.versions.set(page, version)
        if (name === 'lost') this.lost.push(page)
      }
    }
  }

  /** Waits until a page has another version. @returns the pages that had changed by then */
  async changed(page: string, change: () => Promise<unknown>): Promise<string[]> {
    const before = new Map(this.versions)
    await change()
    await box.until(`${page} has changed`, async () => this.versions.get(page) !== before.get(page))
    return [...this.versions].flatMap(([each, version]) => (version === before.get(each) ? [] : each))
  }
}

test('every page follows changes, except those that are named here', async () => {
  const execution = await box.running(ada, site.project.id)
  await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
  const visitor = await PageClient.signedIn(box, ada)
  const still = new Set<string>()
  for (const [kind, paths] of await crawl(box, ada.email)) {
    const { document } = await visitor.open(paths[0] ?? '')
    const isNarrow = document.body.classList.contains('narrow')
    if (!isNarrow && !document.body.hasAttribute('data-live-page')) still.add(kind)
  }
  for (const kind of Object.keys(NOT_LIVE)) {
    expect((await visitor.open(kind)).document.body.hasAttribute('data-live-page')).toBe(false)
    still.delete(kind)
  }
  expect([...still]).toEqual([])
})

test('a page that was posted and refused, or shows something once, is not read again', async () => {
  const visitor = await PageClient.signedIn(box, ada)
  const refused = await visitor.post(`/app/workspaces/${site.workspace.id}/projects/new`, { name: '' })
  expect(refused.status).toBe(422)
  expect(refused.document.body.hasAttribute('data-live-page')).toBe(false)
  const made = await visitor.press(await visitor.open('/app/account/tokens'), 'Make a token', { name: 'Once' })
  expect(made.text).toContain('sbx_pat_')
  expect(made.document.body.hasAttribute('data-live-page')).toBe(false)
})

test('a project follows what happens in it, and above it what is set there', async () => {
  const other = await box.site(ada, 'Other')
  const lin = await box.user('Lin')
  await box.join(lin, site, 'member', 'member')
  await box.settled()
  const [here, there] = [placeOf(site), placeOf(other)]
  const stream = await Stream.open(ada, here, there)
  const work = () => lin.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Followed' })
  expect(await stream.changed(here, work)).toEqual([here])
  const setting = () => ada.put(`/api/v1/organizations/${other.organization.id}`, { description: 'New' })
  expect(await stream.changed(there, setting)).toContain(there)
})

test('the version of a page is the one that the stream sends, so that it is not read again', async () => {
  const quiet = await box.site(ada, 'Quiet')
  await box.settled()
  const stream = await Stream.open(ada, placeOf(quiet))
  const { body } = (await stream.visitor.open(`/app/projects/${quiet.project.id}`)).document
  expect(body.getAttribute('data-live-page')).toBe(placeOf(quiet))
  expect(stream.versions.get(placeOf(quiet))).toBe(body.getAttribute('data-live-version') ?? '')
})

test('the first page follows the steps of an organization that its reader sets up', async () => {
  const visitor = await PageClient.signedIn(box, ada)
  await visitor.press(await visitor.open('/app/organizations/new'), 'Create', { name: 'Set up here' })
  const page = await visitor.open('/app')
  expect(page.text).toContain('Set up Set up here')
  const organization = /Set up Set up here.*?href="\/app\/organizations\/([\w-]+)/s.exec(page.html)?.[1]
  await box.settled()
  const stream = await Stream.open(ada, 'overview', `in:${organization}`)
  await stream.changed('overview', () => ada.make(`/api/v1/organizations/${organization}/workspaces`, { name: 'Main' }))
})

test('the runtimes of an organization follow heartbeats that say something new', async () => {
  const path = `/app/organizations/${site.organization.id}/runtimes`
  const input = { name: 'Farm', hostname: 'farm.example.com', agents: ['claude'] }
  const runtime = await ada.make(`/api/v1/organizations/${site.organization.id}/runtimes`, input)
  await box.settled()
  const stream = await Stream.open(ada, `in:${site.organization.id}`)
  const heartbeat = (agents: string[]) => ada.post(`/api/v1/runtimes/${runtime.id}/heartbeat`, { agents })
  expect(await stream.changed(`in:${site.organization.id}`, () => heartbeat(['claude', 'codex']))).toHaveLength(1)
  const { text } = await stream.visitor.open(path)
  expect(text).toContain('claude, codex')
  // A page that is not read again says nothing that goes out of date.
  expect(text).toMatch(/last heartbeat within \d+ s/)
})

test('no one learns when something happens where they may not look', async () => {
  const eve = await box.user('Eve')
  const own = await box.site(eve, 'Own')
  await box.settled()
  // A project of someone else, named as if it were in a workspace of hers.
  const mixed = `in:${own.organization.id}/${own.workspace.id}/${site.project.id}`
  const stream = await Stream.open(eve, placeOf(site), mixed, placeOf(own))
  expect(stream.lost).toEqual([placeOf(site)])
  const work = async () => {
    await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Secret' })
    await eve.make(`/api/v1/projects/${own.project.id}/requirements`, { title: 'Own' })
  }
  expect(await stream.changed(placeOf(own), work)).toEqual([placeOf(own)])
})
