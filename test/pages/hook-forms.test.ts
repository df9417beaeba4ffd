/** Making, changing and deleting deployment hooks in the pages, and trying a filter. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { HookForm } from '../../api/deployment-hooks/hook-form.tsx'
import { PageClient } from '../support/page-client.ts'
import { errorIn } from '../support/page-parts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let site: Site
let visitor: PageClient
let path: string

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Owner')
  site = await box.site(owner)
  visitor = await PageClient.signedIn(box, owner)
  path = `/app/projects/${site.project.id}/deployment-hooks/new`
})
afterAll(() => box.close())

const newest = async () => (await owner.get(`/api/v1/projects/${site.project.id}/deployment-hooks?limit=1`)).body[0]
const hookOf = async (id: string) => (await owner.get(`/api/v1/deployment-hooks/${id}`)).body
const REQUIRED = { name: 'Deploy', url: 'https://ci.example.com/in', trigger_on: 'gate_approved' }
const made = (input: object) => owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, { ...REQUIRED, ...input })

type Optional = Exclude<keyof HookForm, keyof typeof REQUIRED | 'mode' | 'signing' | 'secret'>

/** What the page of a hook shows of each field that has a value. */
const SHOWN: Record<Optional, string> = {
  filter: '/data/execution/agent',
  headers: 'X-Api-Key',
  template_secrets: 'Template secretstoken',
  body_template: '{{/environment}}',
  environment: 'Environmentstaging',
  supersede: 'a new dispatch cancels older pending ones',
  max_age_seconds: '3,600 seconds',
  report_within_seconds: 'Reports within10 min',
}

describe('A new hook', () => {
  test('is made with a secret that is shown once', async () => {
    const shown = await visitor.press(await visitor.open(path), 'Create the hook', {
      name: 'Deploy',
      url: 'https://ci.example.com/in',
      environment: 'staging',
      headers: 'X-Api-Key: k-1',
      report_within_seconds: '600',
      'filter/0.pointer': '/data/gate/name',
      'filter/0.operator': 'starts_with',
      'filter/0.value': 'Release',
      'filter/1.pointer': '/data/execution/cost_usd',
      'filter/1.operator': 'lte',
      'filter/1.value': '12.5',
    })
    expect(shown.text).toMatch(/whsec_\S+/)
    expect(await newest()).toMatchObject({
      name: 'Deploy',
      environment: 'staging',
      headers: { 'X-Api-Key': '********' },
      has_secret: true,
      report_within_seconds: 600,
      max_age_seconds: null,
      filter: { '/data/gate/name': { starts_with: 'Release' }, '/data/execution/cost_usd': { lte: 12.5 } },
      body_template: null,
    })
  })

  test('is signed as one chooses', async () => {
    const fields = { name: 'Signed', url: 'https://ci.example.com/in' }
    const own = await visitor.press(await visitor.open(path), 'Create', { ...fields, signing: 'own', secret: 'of mine' })
    expect([own.path.startsWith('/app/deployment-hooks/'), own.html.includes('of mine')]).toEqual([true, false])
    expect(await newest()).toMatchObject({ has_secret: true, signature: 'hmac' })
    await visitor.press(await visitor.open(path), 'Create', { ...fields, signing: 'ed25519' })
    expect(await newest()).toMatchObject({ has_secret: false, signature: 'ed25519' })
    await visitor.press(await visitor.open(path), 'Create', { ...fields, signing: 'none' })
    expect(await newest()).toMatchObject({ has_secret: false, signature: 'hmac' })
    const without = await visitor.press(await visitor.open(path), 'Create', { ...fields, signing: 'own' })
    expect(errorIn(without, 'secret')).toBeDefined()
  })

  test('that is claimed has neither URL nor headers', async () => {
    const pulled = await visitor.press(await visitor.open(path), 'Create', { name: 'Pulled', mode: 'pull' })
    expect(pulled.text).toContain('whsec_')
    expect(await newest()).toMatchObject({ mode: 'pull', url: null, headers: {} })
  })

  test('whose optional fields stay empty is as the API makes it without them', async () => {
    await visitor.press(await visitor.open(path), 'Create', { name: REQUIRED.name, url: REQUIRED.url })
    const hook = await newest()
    const { secret: _, ...expected } = await made({})
    const { id, created_at, updated_at } = hook
    expect(hook).toEqual({ ...expected, id, created_at, updated_at })
  })

  test('has the defaults of the API for fields that a client leaves out', async () => {
    const { status } = await visitor.post(path, { name: 'Bare', mode: 'pull', trigger_on: 'gate_approved' })
    expect(status).toBe(200)
    expect(await newest()).toMatchObject({ name: 'Bare', environment: 'production', supersede: false })
  })

  test('begins with the hook of a CI system, whose numbers stay as they are written', async () => {
    const page = await visitor.open(path)
    const links = [...page.document.querySelectorAll('nav[aria-label="Templates for CI systems"] a')]
    expect(links.map((link) => link.textContent)).toEqual([
      'Empty',
      'GitHub Actions: repository_dispatch',
      'GitHub Actions: deployments',
      'GitLab',
      'Buildkite',
      'CircleCI',
      'Azure Pipelines',
    ])
    for (const link of links.slice(1)) {
      const form = await visitor.open(link.getAttribute('href') ?? '')
      const done = await visitor.press(form, 'Create the hook', { name: `From ${link.textContent}` })
      expect([link.textContent, done.status]).toEqual([link.textContent, 200])
    }
    await visitor.press(page, 'Create', {
      name: 'Exact',
      url: 'https://ci.example.com/',
      body_template: '{"n": 1.0, "big": 12345678901234567890}',
    })
    const { id } = await newest()
    const raw = await box.sql<[{ text: string }]>`select body_template::text as text from deployment_hooks where id = ${id}`
    expect(raw[0].text.replaceAll(' ', '')).toBe('{"n":1.0,"big":12345678901234567890}')
  })

  test('is refused as the hook of the CI system that it began with', async () => {
    const form = await visitor.open(`${path}?template=gitlab`)
    const refused = await visitor.press(form, 'Create the hook', { url: 'ftp://ci.example.com/', secret: 'of mine' })
    expect([refused.status, errorIn(refused, 'url')]).toEqual([422, expect.any(String)])
    const chosen = refused.document.querySelector('nav[aria-label="Templates for CI systems"] [aria-current]')
    expect(chosen?.textContent).toBe('GitLab')
    expect(refused.document.querySelector('#secret-hint')?.textContent).toContain('Enter it again')
    const done = await visitor.press(refused, 'Create the hook', { url: 'https://ci.example.com/in' })
    expect([done.status, done.text.includes('whsec_')]).toEqual([200, true])
  })

  test('is refused with what is wrong at each field, and the rest as it was typed', async () => {
    const refused = await visitor.press(await visitor.open(path), 'Create', {
      name: 'Refused',
      url: 'ftp://ci.example.com/',
      body_template: '{"a": "{{secret:unknown}}"}',
      report_within_seconds: 'soon',
      'filter/0.pointer': 'nonsense',
      'filter/0.value': '"12"',
    })
    expect(refused.status).toBe(422)
    expect(errorIn(refused, 'report_within_seconds')).toContain('Seconds within')
    const second = await visitor.press(refused, 'Create', { report_within_seconds: '' })
    for (const name of ['url', 'body_template', 'filter'])
      expect([name, errorIn(second, name)]).toEqual([name, expect.any(String)])
    expect(second.document.querySelector('[name="filter/0.value"]')?.getAttribute('value')).toBe('"12"')
    const json = await visitor.press(second, 'Create', { body_template: '{' })
    expect(errorIn(json, 'body_template')).toBe('Body template must be JSON.')
  })
})

describe('A stored hook', () => {
  test('is shown in its form so that saving changes nothing', async () => {
    const filter = {
      '/data/gate/name': 'Release',
      '/data/execution/agent': { not: ['a', 'b'] },
      '/data/gate/environment': { in: ['staging', 'a, b', '12'] },
      '/data/a': 12,
      '/data/b': '12',
      '/data/c': null,
      '/data/d': { exists: false },
      '/data/e': { exists: true },
      '/data/f': { starts_with: '"x' },
      '/data/g': { gte: 1.5 },
      '/data/h': { not: 'a, b' },
      '/data/i': '',
    }
    // Each field of the form has a value, which it must show.
    const values: Record<Optional, unknown> = {
      filter,
      headers: { 'X-Api-Key': 'k: 1' },
      template_secrets: { token: 't' },
      body_template: { a: '{{secret:token}}', b: [1, '{{/environment}}'] },
      environment: 'staging',
      supersede: true,
      max_age_seconds: 3600,
      report_within_seconds: 600,
    }
    const { id } = await made(values)
    const page = await visitor.open(`/app/deployment-hooks/${id}`)
    for (const [field, text] of Object.entries(SHOWN)) expect([field, page.text]).toEqual([field, expect.stringContaining(text)])
    const before = await hookOf(id)
    const form = await visitor.open(`/app/deployment-hooks/${id}/edit`)
    for (const field of Object.keys({ ...REQUIRED, ...values }))
      expect(form.document.querySelector(`[name^="${field}"]`)).not.toBeNull()
    const saved = await visitor.press(form, 'Save')
    expect(saved.text).toContain('The hook was saved.')
    expect(await hookOf(id)).toEqual(before)
  })

  test('is not saved over what another person changed', async () => {
    const { id } = await made({})
    const page = await visitor.open(`/app/deployment-hooks/${id}/edit`)
    await owner.put(`/api/v1/deployment-hooks/${id}`, { environment: 'staging' })
    const refused = await visitor.press(page, 'Save', { name: 'Mine' })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Stored now: staging')
  })

  test('is deleted by admins alone', async () => {
    const { id } = await made({ name: 'Unneeded' })
    const member = await box.user('Member')
    await box.join(member, site, 'member', 'member')
    const plain = await PageClient.signedIn(box, member)
    expect((await plain.open(path)).status).toBe(403)
    expect((await plain.post(`/app/deployment-hooks/${id}/edit/delete`)).status).toBe(403)
    const done = await visitor.press(await visitor.open(`/app/deployment-hooks/${id}/edit`), 'Delete the hook')
    expect([done.path, done.text.includes('The hook Unneeded was deleted.')]).toEqual([
      `/app/projects/${site.project.id}/deployment-hooks`,
      true,
    ])
  })
})

test('a filter is tried on the newest events before it is saved', async () => {
  for (const name of ['Release 1', 'Design']) {
    const execution = await box.running(owner, site.project.id)
    const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name })
    await owner.make(`/api/v1/gates/${gate.id}/approve`)
  }
  const { id } = await made({})
  const page = await visitor.open(`/app/deployment-hooks/${id}/edit`)
  const row = { 'filter/0.pointer': '/data/gate/name', 'filter/0.operator': 'starts_with', 'filter/0.value': 'Release' }
  const tried = await visitor.press(page, 'Try the filter', { name: 'Typed', ...row })
  const rows = [...tried.document.querySelectorAll('table[aria-label="Newest events"] tbody tr')]
  expect(rows.map((each) => [...each.querySelectorAll('td')].slice(1).map((cell) => cell.textContent))).toEqual([
    ['left out', '/data/gate/name is "Design"'],
    ['sent', ''],
  ])
  expect(tried.document.querySelector('#name')?.getAttribute('value')).toBe('Typed')
  expect((await hookOf(id)).filter).toBeNull()
  await visitor.press(tried, 'Save')
  expect(await hookOf(id)).toMatchObject({ name: 'Typed', filter: { '/data/gate/name': { starts_with: 'Release' } } })
})
