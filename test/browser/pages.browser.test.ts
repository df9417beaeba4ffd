/** Every page of the app: accessible, no wider than the screen, light, without errors; also without scripts. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { PEOPLE } from '../../bin/scenario/stage.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import { declaredPages } from '../pages/declared.ts'
import { storeConnectionWithDomain } from '../sso/stored-connection.ts'
import { hasBrowser, smallTargets, violations } from '../support/browser.ts'
import { PageClient } from '../support/page-client.ts'
import { SeededApp } from './app.ts'
import { crawl } from './crawl.ts'
import type { Look } from './person.ts'

const LOOKS: Look[] = [
  { width: 1280 },
  { width: 1280, dark: true },
  { width: 390 },
  { width: 390, dark: true },
  { width: 390, plain: true },
]
const MAX_BYTES = 100 * 1024

/** What proves who sends a request: people confirm it on a page of its own, or by a button. */
const PROOFS = ['assertion', 'current_password']

const OPEN_PAGES = [
  '/sign-in',
  '/sign-in?with=password',
  '/register',
  '/reset-password',
  '/verify-email',
  '/restore-email',
  '/reset-second-factors',
  '/invitations?token=open',
  '/unsubscribe',
]

const POLICY = '/app/projects/{id}/environment/policy'

/** Pages that only a link in a mail or a chat tool leads to. They are tested with those links. */
const isLinkedFromApp = (path: string): boolean =>
  path.startsWith('/app') && !path.endsWith('/live') && !path.startsWith('/app/-/')

describe.skipIf(!hasBrowser)('The pages of the app', () => {
  let app: SeededApp
  let pages: Map<string, string[]>

  beforeAll(async () => {
    app = await SeededApp.open()
    // She had no account when she was invited.
    const other = await app.clients.grace.post('/organizations', { name: 'Harbor' })
    await app.box.sql`
      insert into invitations (organization_id, email, role, invited_by, expires_at, token_hash)
      select ${other.id}, invited.email, 'member', users.id, now() + interval '1 day', invited.token_hash
      from users
      cross join (
        values (${PEOPLE.ada.email}, null), ('new@example.com', ${tokenHash('open')}::bytea)
      ) as invited (email, token_hash)
      where users.email = ${PEOPLE.grace.email}
    `
    await app.box.sql`update organizations set registration_mode = 'open' where id = ${other.id}`
    const [{ organization_id }] = await app.box.sql<[{ organization_id: string }]>`select organization_id from gates limit 1`
    const pipeline = { name: 'Pipeline', scopes: ['gates:open'] }
    const { id } = await app.clients.ada.post<{ id: string }>(`/organizations/${organization_id}/service-accounts`, pipeline)
    const trust = { issuer: 'https://ci.example.com', claims: { sub: ['job'] } }
    await app.clients.ada.post(`/service-accounts/${id}/trusts`, trust)
    await storeConnectionWithDomain(app.box.sql, organization_id)
    pages = await crawl(app.box, PEOPLE.ada.email)
    // An older sign-in, a form, and the list of strangers lead to these.
    pages.set('/app/account/confirm', ['/app/account/confirm'])
    pages.set('/app/search', ['/app/search?q=checkout', '/app/search'])
    pages.set('/app/organizations/{id}/join', [`/app/organizations/${other.id}/join`])
    await addAttestation()
    await addFreezes()
  })
  afterAll(() => app?.close())

  /** Only the page of the seeded gate that was approved with a subject leads to one. */
  async function addAttestation(): Promise<void> {
    const [signed] = await app.box.sql<[{ gate_id: string }?]>`select gate_id from attestations limit 1`
    const gate = `/app/gates/${signed?.gate_id}`
    pages.set('/app/gates/{id}/attestation', [`${gate}/attestation`, gate])
  }

  /** The crawl opens some of the policies, maybe none with freezes. */
  async function addFreezes(): Promise<void> {
    const [frozen] = await app.box.sql<[{ project_id: string; environment: string }?]>`
      select project_id, environment from environment_policies where freezes <> '[]' limit 1
    `
    const known = pages.get(POLICY) ?? []
    pages.set(POLICY, [...known, `/app/projects/${frozen?.project_id}/environment/policy?name=${frozen?.environment}`])
  }

  test('are all reached by links', async () => {
    const declared = (await declaredPages()).filter((route) => route.startsWith('GET ')).map((route) => route.slice(4))
    const kinds = declared.filter(isLinkedFromApp).map((path) => path.replaceAll(/\{\w+\}/g, '{id}'))
    expect([...pages.keys()].sort()).toEqual([...new Set(kinds)].sort())
  })

  test('have a field for what the API can set', async () => {
    const visitor = await PageClient.signedIn(app.box, { email: PEOPLE.ada.email } as Parameters<typeof PageClient.signedIn>[1])
    const forms: { action: string; names: string[] }[] = []
    for (const path of [...pages.values()].flat()) {
      for (const form of (await visitor.open(path)).document.querySelectorAll('form')) {
        // Of `config/url` and `checks/0.name`, the field of the API.
        const names = [...form.querySelectorAll('[name]')].map((each) => (each.getAttribute('name') ?? '').split(/[/.]/)[0] ?? '')
        const actions = [form, ...form.querySelectorAll('[formaction]')]
        for (const each of actions)
          forms.push({ action: each.getAttribute('action') ?? each.getAttribute('formaction') ?? '', names })
      }
    }
    type Schema = { $ref?: string; properties?: object; anyOf?: Schema[] }
    const { paths, components } = app.box.contract.document
    const fieldsOf = ({ $ref, properties = {}, anyOf = [] }: Schema): string[] => {
      const named = $ref && (components.schemas[$ref.replace(/.*\//, '')] as Schema)
      return [...(named ? fieldsOf(named) : []), ...Object.keys(properties), ...anyOf.flatMap(fieldsOf)]
    }
    const missing = Object.entries(paths).flatMap(([path, methods]) => {
      // What one does to sign in, and with a mailed link, has pages of its own.
      if (/^\/api\/v1\/(auth|invitations|users)\//.test(path)) return []
      const nouns = path
        .split('/')
        .filter((step) => step !== '' && !step.startsWith('{'))
        .slice(-2)
      const names = new Set(
        forms.filter(({ action }) => nouns.some((noun) => action.includes(noun))).flatMap((form) => form.names),
      )
      return Object.entries(methods).flatMap(([method, { operationId, requestBody }]) => {
        const schema = method === 'post' || method === 'put' ? requestBody?.content['application/json']?.schema : undefined
        return [...new Set(fieldsOf((schema ?? {}) as Schema))]
          .filter((name) => !names.has(name) && !PROOFS.includes(name))
          .map((name) => `${operationId}.${name}`)
      })
    })
    // What agents, machines and CI systems do, what has a button or a field of another name, and forms that the seed shows to nobody.
    expect(missing.toSorted()).toEqual([
      'acknowledgeDispatch.detail',
      'acknowledgeDispatch.lease_until',
      'acknowledgeDispatch.outcome',
      'approveGate.answers',
      'claimDispatches.lease_seconds',
      'claimDispatches.limit',
      'claimDispatches.wait',
      'completeExecution.cost_usd',
      'createComparison.track_a_agent',
      'createComparison.track_a_graph_id',
      'createComparison.track_b_agent',
      'createComparison.track_b_graph_id',
      'createComparison.work_item_id',
      'createDeploymentHook.enabled',
      'createDeploymentHook.paused',
      'createDeploymentHook.signature',
      'createDeploymentHook.temporary',
      'createExecution.runtime_id',
      'createExecution.start',
      'createNotificationChannel.channel_type',
      'createServiceAccount.enabled',
      'createServiceAccount.project_id',
      'createSubscription.event_pattern',
      'createSubscription.filter_project_id',
      'decideComparison.winner',
      'failExecution.cost_usd',
      'failExecution.error',
      'getGateChallenge.answers',
      'getGateChallenge.decision',
      'openGate.evidence',
      'openGate.subject',
      'openProjectGate.evidence',
      'openProjectGate.subject',
      'putSso.issuer',
      'putSso.mappings',
      'putSso.use_instance',
      'registerRuntime.agents',
      'registerRuntime.hostname',
      'reportRollout.description',
      'reportRollout.digest',
      'reportRollout.state',
      'reportRollout.url',
      'reportRollout.version',
      'reportUsage.cache_write_tokens',
      'reportUsage.cached_input_tokens',
      'reportUsage.cost_usd',
      'reportUsage.dedupe_key',
      'reportUsage.input_tokens',
      'reportUsage.model',
      'reportUsage.output_tokens',
      'reportUsage.reasoning_tokens',
      'sendHeartbeat.agents',
      'triggerDeploymentHook.override',
      'updateDeploymentHook.enabled',
      'updateDeploymentHook.paused',
      'updateDeploymentHook.signature',
      'updateEnvironmentPolicy.approvers',
      'updateNotificationChannel.channel_type',
      'updateServiceAccount.enabled',
      'updateServiceAccount.project_id',
      'updateServiceAccount.workspace_id',
      'updateWorkspace.gate_policy',
    ])
  }, 60_000)

  const isWiderThanScreen = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

  async function check(window: BrowserContext, path: string, { plain = false }: Look): Promise<string[]> {
    const page = await window.newPage()
    const complaints: string[] = []
    let bytes = 0
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== app.box.base) complaints.push(`requests ${request.url()}`)
    })
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    page.on('pageerror', (error) => void complaints.push(error.message))
    page.on('response', async (response) => {
      // Browsers keep the font for a year.
      if (/^(text\/event-stream|font\/)/.test(response.headers()['content-type'] ?? '')) return
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length
    })
    await page.goto(path, { waitUntil: 'load' })
    if (await isWiderThanScreen(page)) complaints.push('scrolls sideways')
    // axe-core needs scripts, and a page without them is the same HTML.
    if (!plain) complaints.push(...(await violations(page)))
    if (bytes > MAX_BYTES) complaints.push(`weighs ${bytes} bytes`)
    await page.close()
    return complaints.map((each) => `${path}: ${each}`)
  }

  test('do not scroll sideways on a phone with text of twice the size', async () => {
    const page = await app.signedIn('ada', { width: 390 })
    const wide: string[] = []
    const measure = async (path: string) => {
      await page.goto(path)
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      if (await isWiderThanScreen(page)) wide.push(path)
    }
    for (const path of [...pages.values()].flat()) await measure(path)
    await page.context().clearCookies()
    for (const path of OPEN_PAGES) await measure(path)
    expect(wide).toEqual([])
    await page.context().close()
  }, 300_000)

  test('do not scroll sideways on a phone when the menu is open, and no word of a button is broken', async () => {
    const page = await app.signedIn('ada', { width: 390 })
    await page.click('.side > summary')
    await page.click('.menu summary')
    expect(await page.locator('.menu ul').first().isVisible()).toBe(true)
    expect(await isWiderThanScreen(page)).toBe(false)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(pages.get('/app/organizations/{id}/people')?.[0] ?? '')
    const linesOf = `(button) => {
      const range = document.createRange()
      range.selectNodeContents(button.firstChild)
      return range.getClientRects().length
    }`
    // A long address in the column before it leaves as little room for a button as it can have.
    await page.evaluate(`document.querySelectorAll('.what').forEach((cell) => { cell.textContent = 'x'.repeat(300) })`)
    const lines = await page.evaluate(
      `[...document.querySelectorAll('.rows button')].filter((button) => button.firstChild.textContent === 'Remove').map(${linesOf})`,
    )
    expect(new Set(lines as number[])).toEqual(new Set([1]))
    await page.context().close()
  })

  test('have nothing to press on a phone that is smaller than a finger hits', async () => {
    const page = await app.signedIn('ada', { width: 390 })
    const small: string[] = []
    const measure = async (path: string) => {
      await page.goto(path)
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
      for (const target of await smallTargets(page)) small.push(`${path.replace(/\?.*$/, '')}: ${target}`)
    }
    for (const path of [...pages.values()].flat()) await measure(path)
    await page.context().clearCookies()
    for (const path of OPEN_PAGES) await measure(path)
    expect(small).toEqual([])
    await page.context().close()
  }, 300_000)

  test('are printed on white, with what they tell and without what one can press', async () => {
    const page = await app.signedIn('ada', { width: 794, dark: true })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const kind of ['/app/gates/{id}', '/app/organizations/{id}/audit-log']) {
      expect((await page.goto(pages.get(kind)?.[0] ?? ''))?.status()).toBe(200)
      expect(await page.locator('h1').isVisible()).toBe(true)
      const shown = await page.evaluate(
        `[...document.querySelectorAll('.side, .crumbs, .tabs, .pager, .filters, main form')].filter((each) => each.checkVisibility()).length`,
      )
      expect(shown).toBe(0)
      expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(28, 29, 31)')
    }
    await page.context().close()
  })

  for (const look of LOOKS) {
    test(`have no fault: ${JSON.stringify(look)}`, async () => {
      const entrance = await app.signedIn('ada', look)
      const window = entrance.context()
      await entrance.close()
      const complaints: string[] = []
      for (const path of [...pages.values()].flat()) complaints.push(...(await check(window, path, look)))
      expect(complaints).toEqual([])
      await window.close()
    }, 600_000)

    test(`for people who are not signed in have no fault: ${JSON.stringify(look)}`, async () => {
      const window = await app.window(look)
      const complaints: string[] = []
      for (const path of OPEN_PAGES) {
        complaints.push(...(await check(window, path, look)))
      }
      expect(complaints).toEqual([])
      await window.close()
    })
  }
})
