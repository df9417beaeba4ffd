/** What a page costs: statements of the API, and bytes for the browser. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newDecisionToken } from '../../core/security/mail-tokens.ts'
import { crawl } from '../browser/crawl.ts'
import { storeConnection } from '../sso/stored-connection.ts'
import { PageClient } from '../support/page-client.ts'
import { Receiver } from '../support/receiver.ts'
import { type Recording, recordStatements } from '../support/recording-proxy.ts'
import { freshDatabase } from '../support/server.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const MAX_STATEMENTS = 6
/** The start page, which shows what needs a person of all kinds, and a gate: also its effects, and the names of people. */
const MAX_OF_LARGEST = 8
const MAX_BYTES = 100 * 1024
/** The track in the API, in statements and bytes. */
const MAX_OF_TRACK = [4, 65_536] as const
/** Longer than the interval of what the API does by itself. */
const BACKGROUND_MS = 5_000
/** More than a page shows at once. */
const MANY = 60
const REQUIREMENTS = 10_000
const MEMBERS = 2_000
/** In each of five projects: as many as one can have. */
const HOOKS = 100
/** Characters that take the most of a page. */
const WIDE = '"'
const LONG_NAME = `Release review of the checkout with invoices ${'x'.repeat(60)}`

/** A gate with as much evidence as it can have. */
const FULL = {
  name: LONG_NAME,
  environment: WIDE.repeat(64),
  subject: { uri: `https://git.example.com/${'&'.repeat(1_900)}`, digest: { sha256: 'a'.repeat(64) }, version: WIDE.repeat(120) },
  evidence: {
    summary: WIDE.repeat(5_000),
    metrics: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`metric_${index}`, index * 1e9])),
    checks: Array.from({ length: 50 }, (_, index) => ({
      name: `${index} ${WIDE.repeat(100)}`,
      state: 'failed',
      url: index > 9 ? null : `https://ci.example.com/?${'&'.repeat(2_000)}`,
      detail: index > 9 ? null : WIDE.repeat(300),
    })),
    links: Array.from({ length: 3 }, () => ({ label: WIDE.repeat(200), url: `https://ci.example.com/?${'&'.repeat(2_000)}` })),
  },
}

/** SQL: names as people give them, of up to 200 characters: of each kind one, by a number. */
const NAME = `
  left((array[
    number || ' <b>"Quoted" & <i>marked up</i></b> ' || repeat('<br>', 40), number || ' ' || repeat('الدفع بالفاتورة ', 13),
    number || ' ' || repeat('תשלום בחשבונית ', 14), number || ' ' || repeat('🚀🛒', 90), number || ' ' || repeat('x', 190)
  ])[1 + number % 5], 200)
`

const receiver = new Receiver()
let recording: Recording
let box: Box
let ada: Actor
let site: Site
let gate: Answer['body']
let link: string
let pages: string[]
/** Where thousands of things are. */
let full: string
let visitor: PageClient

beforeAll(async () => {
  recording = await recordStatements(await freshDatabase())
  box = await signalbox({ url: recording.url })
  ada = await box.user('Ada')
  site = await box.site(ada)
  await storeConnection(box.sql, site.organization.id)
  const executions = [await box.running(ada, site.project.id), await box.running(ada, site.project.id)]
  for (let number = 0; number < MANY; number++) {
    gate = await ada.make(`/api/v1/executions/${executions[number % 2]?.id}/gates`, {
      name: `${LONG_NAME} ${number}`,
      description: 'Is it ready? '.repeat(200),
      required_approvals: 2,
    })
  }
  await ada.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'The tests are green.' })
  const { token, hash } = newDecisionToken(gate.id)
  await box.sql`
    insert into decision_links (hash, organization_id, gate_id, user_id, email, expires_at)
    values (${hash}, ${site.organization.id}, ${gate.id}, ${ada.id}, ${ada.email}, now() + interval '1 hour')
  `
  link = `/decide?token=${token}`
  const { id } = await ada.make(`/api/v1/executions/${executions[0]?.id}/gates`, FULL)
  visitor = await PageClient.signedIn(box, ada)
  const deployments = await makeDeployments()
  await box.settled()
  await fillStartPage()
  full = await fill(site)
  const linked = [...(await crawl(box, ada.email)).values()].flat()
  const tabs = ['gates', 'requirements', 'environments', 'deployment-hooks', 'deliverables', 'dual-track', 'settings']
  const crowded = [full, ...[...tabs, 'rollback', 'charts', 'gates/new'].map((page) => `${full}/${page}`)]
  pages = [...new Set(['/app', `/app/gates/${gate.id}`, `/app/gates/${id}`, link, ...deployments, ...linked, ...crowded])]
})
afterAll(async () => {
  await box.close()
  await recording[Symbol.asyncDispose]()
  await receiver.stop()
})

/** A hook with many environments, and a rollout with the longest texts. @returns the pages about them */
async function makeDeployments(): Promise<string[]> {
  receiver.answer = () => new Response(WIDE.repeat(30_000), { status: 503 })
  const project = `/api/v1/projects/${site.project.id}`
  const body_template = { event: '{{/event}}', text: WIDE.repeat(15_000) }
  const hook = await ada.make(`${project}/deployment-hooks`, {
    name: LONG_NAME,
    url: receiver.url,
    trigger_on: 'gate_approved',
    report_within_seconds: 600,
    body_template,
    filter: { '/data/gate/name': WIDE.repeat(3_500) },
  })
  const paths: string[] = []
  for (let number = 0; number < 12; number++) {
    await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, undefined, { Prefer: 'wait=10' })
    const { items } = (await ada.get(`/api/v1/deployment-hooks/${hook.id}/dispatches?page_size=1`)).body
    const { status } = await ada.post(`/api/v1/dispatches/${items[0].id}/report`, {
      state: 'succeeded',
      version: WIDE.repeat(120),
      url: `https://ci.example.com/?${'&'.repeat(2_000)}`,
      description: WIDE.repeat(2_000),
    })
    expect(status).toBe(200)
    paths[0] = `/app/dispatches/${items[0].id}`
    await ada.put(`/api/v1/deployment-hooks/${hook.id}`, { environment: WIDE.repeat(50) + number })
  }
  // It shows what may come next, and who is asked.
  const [before, after] = [`${WIDE.repeat(50)}0`, `${WIDE.repeat(50)}1`]
  const policy = `${project}/environments/${encodeURIComponent(after)}/policy`
  expect((await ada.put(policy, { promotes_from: before, open_gate: true })).status).toBe(200)
  paths.push(`/app/projects/${site.project.id}/environment?${new URLSearchParams({ name: after })}`)
  const { id } = await ada.make(`${project}/deployment-hooks`, { name: 'Pulled', mode: 'pull', trigger_on: 'gate_approved' })
  const hooks = [hook.id, id].map((each) => `/app/deployment-hooks/${each}`)
  return [
    ...paths,
    ...hooks,
    `${hooks[0]}/preview`,
    `/app/projects/${site.project.id}`,
    `/app/projects/${site.project.id}/environments`,
  ]
}

/** Writes thousands of requirements and members, and hundreds of hooks. @returns the page of the project with the most */
async function fill({ organization, workspace }: Site): Promise<string> {
  const others: string[] = []
  while (others.length < 5) others.push((await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Other' })).id)
  const insert = (text: string, count: number, ...values: (string | string[])[]) =>
    box.sql.unsafe(`with each as (select number, ${NAME} as name from generate_series(1, ${count}) as number) ${text}`, values)
  await insert(
    `insert into requirements (organization_id, workspace_id, project_id, number, title, created_by)
     select organization_id, workspace_id, id, each.number, each.name, created_by from projects cross join each where id = $1`,
    REQUIREMENTS,
    others[0] ?? '',
  )
  await insert(
    `, hook as (
       insert into deployment_hooks (organization_id, workspace_id, project_id, name, url, trigger_on, environment, created_by)
       select
         organization_id, workspace_id, id, left(each.name, 120), 'http://127.0.0.1:9/', 'gate_approved', 'of hook ' || each.number,
         created_by
       from projects cross join each where id = any($1::uuid[])
       returning id, organization_id
     )
     insert into lanes (id, organization_id, kind, is_pull) select id, organization_id, 'hook', false from hook`,
    HOOKS,
    others,
  )
  await insert(
    `, person as (
       insert into users (email, email_verified, name, password_hash)
       select each.number || '@example.com', true, left(each.name, 120), '' from each returning id
     ),
     joined as (
       insert into organization_members (organization_id, user_id, role) select $1::uuid, id, 'member' from person returning user_id
     )
     insert into workspace_members (organization_id, workspace_id, user_id, role) select $1::uuid, $2::uuid, user_id, 'member' from joined`,
    MEMBERS,
    organization.id,
    workspace.id,
  )
  await box.sql`analyze`
  return `/app/projects/${others[0]}`
}

/** Everything of which the start page tells. */
async function fillStartPage(): Promise<void> {
  const eve = await box.user('Eve')
  const other = await box.site(eve, 'Inviting')
  const invited = await eve.make(`/api/v1/organizations/${other.organization.id}/members`, { email: 'invited@example.com' })
  await box.sql`update invitations set email = ${ada.email} where id = ${invited.id}`
  await box.sql`
    update organization_members set setup_until = now() + interval '1 day' where user_id = ${ada.id}
  `
  await ada.put(`/api/v1/organizations/${site.organization.id}`, { budget_monthly_limit_usd: 0.01 })
  const execution = await box.running(ada, site.project.id)
  await ada.make(`/api/v1/executions/${execution.id}/usage`, { model: 'gpt-5', cost_usd: 1 })
  const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Fails',
    url: receiver.url,
    trigger_on: 'gate_approved',
    report_within_seconds: 600,
  })
  const { id } = await ada.make(`/api/v1/deployment-hooks/${hook.id}/trigger`)
  await ada.post(`/api/v1/dispatches/${id}/report`, { state: 'failed' })
  await box.sql`update deployment_hooks set enabled = false, disabled_reason = 'It failed.' where id = ${hook.id}`
  await box.settled()
}

/** The bytes of a page with its style and script, without compression. */
async function weightOf(path: string): Promise<number> {
  const { html, document } = await visitor.open(path)
  const files = [...document.querySelectorAll('link[rel=stylesheet], script[src]')].map(
    (element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '',
  )
  // Pages of people who are signed in have a script for keys, and those that ask for passkeys another one.
  expect([2, 3, 4]).toContain(files.length)
  const sizes = await Promise.all(files.map(async (file) => (await (await visitor.send('GET', file)).bytes()).length))
  return Buffer.byteLength(html) + sizes.reduce((sum, size) => sum + size, 0)
}

test('with many long rows, every page is at most 100 KiB with its style and script', async () => {
  const heavy: [path: string, bytes: number][] = []
  for (const path of pages) {
    const weight = await weightOf(path)
    expect([path, weight > 10_000]).toEqual([path, true])
    if (weight > MAX_BYTES) heavy.push([path, weight])
  }
  expect(heavy).toEqual([])
})

/** The statements that the API sends while nobody asks for anything. On a slow machine, some fall into each visit. */
async function backgroundStatements(): Promise<Set<string>> {
  const before = recording.statements.length
  await Bun.sleep(BACKGROUND_MS)
  return new Set(recording.statements.slice(before).map(({ text }) => text))
}

test('the start page tells of everything that it can', async () => {
  const { document } = await visitor.open('/app')
  const headings = [...document.querySelectorAll('main h2')].map((heading) => heading.firstChild?.textContent)
  expect(headings).toEqual([
    'Set up Acme Robotics',
    'Gates to decide',
    'Invitations',
    'Deployments that failed',
    'Switched off by Signalbox',
    'Budgets over their threshold',
    'Unread notifications',
  ])
})

/**
 * The statements of a request, up to the number that is allowed. What is due less often than in the background adds statements to some requests,
 * but not to all.
 */
async function statementsOf(background: Set<string>, most: number, send: () => Promise<unknown>): Promise<string[]> {
  let fewest: string[] | null = null
  for (let visit = 0; visit < 10 && (fewest === null || fewest.length > most); visit++) {
    const before = recording.statements.length
    await send()
    const texts = recording.statements.slice(before).map(({ text }) => text)
    const own = texts.filter((text) => !background.has(text))
    if (fewest === null || own.length < fewest.length) fewest = own
  }
  return fewest ?? []
}

test('every page takes at most six statements, the largest eight; the track in the API four, in 64 KiB', async () => {
  const background = await backgroundStatements()
  const costly: unknown[] = []
  for (const path of pages) {
    const most = /^\/(?:app$|app\/gates\/|decide)/.test(path) ? MAX_OF_LARGEST : MAX_STATEMENTS
    const own = await statementsOf(background, most, () => visitor.open(path))
    if (own.length === 0 || own.length > most) costly.push([path, own])
  }
  const [most, bytes] = MAX_OF_TRACK
  for (const project of [`/app/projects/${site.project.id}`, full]) {
    const path = `${project.replace('/app/', '/api/v1/')}/track`
    let body: unknown
    const own = await statementsOf(background, most, async () => {
      ;({ body } = await ada.get(path))
    })
    if (own.length === 0 || own.length > most) costly.push([path, own])
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(bytes)
  }
  expect(costly).toEqual([])
})
