import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { slugOf } from '../../api/organizations/keys.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const SEARCH = '/api/v1/search'

let box: Box
let ada: Actor
let lin: Actor
let eve: Actor
let site: Site
let hidden: { id: string }

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[ada, lin, eve] = [await box.user('Ada'), await box.user('Lin'), await box.user('Eve')]
  site = await box.site(ada)
  await box.join(lin, site, 'member', 'member')
  const workspace = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Board' })
  hidden = await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Zeppelin secret' })
  await makeRequirement('Zeppelin budget', hidden.id)
})
afterAll(() => box.close())

const makeRequirement = (title: string, project_id = site.project.id) =>
  ada.make(`/api/v1/projects/${project_id}/requirements`, { title })

const search = (by: Actor, q: string, rest = '') => by.get(`${SEARCH}?q=${encodeURIComponent(q)}${rest}`)

/** The types and names that a search finds. */
const found = async (by: Actor, q: string, rest = ''): Promise<string[]> => {
  const { status, body } = await search(by, q, rest)
  expect(status).toBe(200)
  return body.map(({ type, name }: Answer['body']) => `${type} ${name}`)
}

test('everything with a name is found, with where it is', async () => {
  const execution = await box.running(ada, site.project.id)
  const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Quux review' })
  const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'quux-production',
    url: 'https://ci.example.com/',
    trigger_on: 'gate_approved',
  })
  const requirement = await makeRequirement('Quux: pay by invoice')
  const project = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Quux' })
  const organization = await ada.make('/api/v1/organizations', { name: 'Quux' })
  const { body } = await search(ada, 'quu')
  expect(body.map(({ type, id }: Answer['body']) => [type, id])).toEqual([
    ['organization', organization.id],
    ['project', project.id],
    ['requirement', requirement.id],
    ['gate', gate.id],
    ['deployment_hook', hook.id],
  ])
  expect(body[2]).toEqual({
    type: 'requirement',
    id: requirement.id,
    name: 'Quux: pay by invoice',
    number: requirement.number,
    status: 'open',
    organization_id: site.organization.id,
    organization_name: site.organization.name,
    workspace_id: site.workspace.id,
    workspace_name: site.workspace.name,
    project_id: site.project.id,
    project_name: site.project.name,
    url: expect.stringContaining(`/app/requirements/${requirement.id}`),
  })
  expect(body.slice(3).map(({ status }: Answer['body']) => status)).toEqual(['pending', 'enabled'])
  expect(await found(ada, 'quux', '&type=gate')).toEqual(['gate Quux review'])
})

test('requirements are found by their number, with and without a sign before it', async () => {
  const { id, number } = await makeRequirement('Numbered')
  for (const q of [`${number}`, `#${number}`, `0${number}`]) {
    const [first] = (await search(ada, q)).body
    expect([first.id, first.number]).toEqual([id, number])
  }
  expect(await found(ada, `${number} numb`)).toEqual(['requirement Numbered'])
  expect(await found(ada, '99999999999999999999')).toEqual([])
})

test('an exact name comes first, then names that begin with it, then the newest', async () => {
  const titles = ['Ledger', 'The ledger', 'Ledger export', 'A new ledger']
  for (const title of titles) await makeRequirement(title)
  expect(await found(ada, 'ledger')).toEqual(
    ['Ledger', 'Ledger export', 'A new ledger', 'The ledger'].map((title) => `requirement ${title}`),
  )
  expect(await found(ada, 'ledger', '&limit=1')).toEqual(['requirement Ledger'])
  expect(await found(ada, 'exp led')).toEqual(['requirement Ledger export'])
})

describe('Words are the same', () => {
  for (const [title, queries] of [
    ['Überweisung für Müller-Größe', ['UBERWEISUNG', 'u\u0308berweisung', 'muller', 'größe', 'GRÖSSE']],
    ['Ｆｕｌｌｗｉｄｔｈ ﬁle', ['fullwidth file', 'ＦＩＬＥ']],
    ['修复支付超时问题', ['修复', '支付', '超时问题']],
    ['الدَّفْعُ بالفاتورة', ['الدفع', 'بالفاتورة']],
    ['שָׁלוֹם־עולם', ['שלום', 'עולם']],
    ['Ship 🚀 now', ['🚀', 'ship now']],
    ["Rock'n'roll_mode/x", ["rock'n", 'mode', 'x', 'roll_mo']],
    ['Привет, МИР', ['привет мир', 'ПРИВЕТ']],
    ['Łódź Øresund Đakovo', ['lodz', 'ORESUND', 'đakovo', 'Dakovo oresund']],
    ['Þórður Æsir Œuvre Ħal ŋ ſt ĳ', ['thordur', 'aesir', 'OEUVRE', 'hal', 'þórð', 'ij']],
    ['İstanbul ISPARTA ısı', ['istanbul', 'isparta', 'isi']],
    ['Hawaiʻi col·legi', ['hawaii', 'collegi']],
    ['ΟΔΟΣ οδός', ['οδος', 'ΟΔΟΣ', 'οδοσ']],
    ['Release v1.2.3', ['1.2.3', 'v1.2.3', 'V1.2', 'release 1.2', 'v']],
    ['Hotfix 4.5.6', ['v4.5.6', '4.5', 'v4']],
  ] as [string, string[]][]) {
    test(title, async () => {
      await makeRequirement(title)
      for (const q of queries) expect([q, await found(ada, q)]).toEqual([q, [`requirement ${title}`]])
    })
  }
})

test('names are folded alike whatever the locale of the database is', async () => {
  const letters = Array.from({ length: 0x2fff }, (_, code) => String.fromCodePoint(code))
    .filter((letter) => /\p{Script=Latin}/u.test(letter))
    .filter((letter) => /^[a-z]+$/.test(slugOf(letter)) && slugOf(letter) !== 'org')
  const [{ different }] = await box.sql<[{ different: string | null }]>`
    select string_agg(letter, '') as different
    from unnest(${letters}::text[], ${letters.map(slugOf)}::text[]) as each (letter, slug)
    where folded(letter) <> slug
  `
  expect([letters.length > 800, different]).toEqual([true, null])
  const [{ body }] = await box.sql<[{ body: string }]>`select prosrc as body from pg_proc where proname = 'folded'`
  expect(body).toMatch(/lower\(plain collate (pg_c_utf8|"und-x-icu")\)/)
})

test('nothing is a wildcard, and what has no words finds nothing', async () => {
  await makeRequirement('Percent 100% done_soon')
  for (const q of ['', ' ', '%', '_', '%%%', '*', '#', "'", '\\', ':*', '& | !', '…', '\u0301']) {
    expect([q, await found(ada, q)]).toEqual([q, []])
  }
  expect(await found(ada, "perc' | 'ent")).toEqual([])
  expect(await found(ada, '100%')).toEqual(['requirement Percent 100% done_soon'])
})

test('a query that is too long or contains U+0000 is refused; the longest is answered', async () => {
  for (const q of ['x'.repeat(201), 'x'.repeat(10_000), 'a\0b']) {
    const { status, body } = await search(ada, q)
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/q'])
  }
  expect((await search(ada, 'x', '&type=user')).status).toBe(422)
  expect(await found(ada, 'ﷺ'.repeat(200))).toEqual([])
  expect(await found(ada, 'qy '.repeat(66))).toEqual([])
})

describe('A person finds', () => {
  test('nothing in workspaces without a role there, or of other organizations', async () => {
    expect(await found(ada, 'zeppelin')).toEqual(['project Zeppelin secret', 'requirement Zeppelin budget'])
    expect(await found(lin, 'zeppelin')).toEqual([])
    expect(await found(lin, '1')).not.toContain('requirement Zeppelin budget')
    expect(await found(eve, 'zeppelin')).toEqual([])
    expect(await found(eve, 'acme')).toEqual([])
    expect(await found(lin, 'acme')).toEqual(['organization Acme Robotics'])
  })

  test('nothing any more once they were removed, or what was found is deleted', async () => {
    const other = await box.site(ada, 'Ephemeral')
    const joan = await box.user('Joan')
    await box.join(joan, other, 'admin')
    await makeRequirement('Ephemeral work', other.project.id)
    expect(await found(joan, 'ephemeral')).toEqual(['organization Ephemeral', 'requirement Ephemeral work'])
    await ada.delete(`/api/v1/organizations/${other.organization.id}/members/${joan.id}`)
    expect(await found(joan, 'ephemeral')).toEqual([])
    await ada.delete(`/api/v1/organizations/${other.organization.id}`)
    expect(await found(ada, 'ephemeral')).toEqual([])
  })

  test('with a token for one organization only what is in it', async () => {
    const other = await box.site(ada, 'Elsewhere')
    await makeRequirement('Bounded elsewhere', other.project.id)
    await makeRequirement('Bounded here')
    const { token } = await ada.make('/api/v1/auth/tokens', { name: 'Here', organization_id: site.organization.id })
    expect(await found(ada.as(token), 'bounded')).toEqual(['requirement Bounded here'])
    expect(await found(ada.as(token), 'elsewhere')).toEqual([])
  })
})

test('a name that was changed is found by its new words alone', async () => {
  const { id } = await makeRequirement('Formerly known')
  await ada.put(`/api/v1/requirements/${id}`, { title: 'Renamed now' })
  expect(await found(ada, 'formerly')).toEqual([])
  expect(await found(ada, 'renamed')).toEqual(['requirement Renamed now'])
})

describe('The page', () => {
  test('lists results by type, with links to them and to more', async () => {
    for (let index = 0; index < 12; index++) await makeRequirement(`<b>Paged</b> ${index}`)
    const visitor = await PageClient.signedIn(box, lin)
    const home = await visitor.open('/app')
    expect(home.document.querySelector('search input')?.getAttribute('name')).toBe('q')
    const page = await visitor.open('/app/search?q=paged')
    expect(page.document.querySelectorAll('.what > a')).toHaveLength(10)
    expect(page.document.querySelector('.what b')).toBeNull()
    expect(page.text).toContain('<b>Paged</b> 11')
    const more = page.document.querySelector('.more a')?.getAttribute('href') ?? ''
    expect((await visitor.open(more)).document.querySelectorAll('.what > a')).toHaveLength(12)
    expect((await visitor.open('/app/search?q=zeppelin')).text).toContain('Nothing that you may see')
    expect((await visitor.open('/app/search?q=%20')).text).toContain('Enter the beginning of words')
  })

  test('keeps what cannot be searched for, and says why', async () => {
    const visitor = await PageClient.signedIn(box, lin)
    for (const q of ['x'.repeat(10_000), 'a%00b']) {
      const page = await visitor.open(`/app/search?q=${q}`)
      expect(page.status).toBe(422)
      expect(page.document.querySelector('#filter-q')?.getAttribute('aria-invalid')).toBe('true')
    }
    expect((await new PageClient(box).open('/app/search?q=x')).path).toStartWith('/sign-in?next=')
  })
})
