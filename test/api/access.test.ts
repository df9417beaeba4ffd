import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { storeConnection, storeDomain } from '../sso/stored-connection.ts'
import { Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { answersTo, REQUIRED_ACCESS } from './required-access.ts'
import { makeResources } from './resources.ts'

let box: Box
let site: Site
const people: Record<string, Actor | null> = { anonymous: null }
const ids: Record<string, string> = {}

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  const [owner, outsider, colleague, member, lead, admin] = await Promise.all(
    ['Owner', 'Outsider', 'Colleague', 'Member', 'Lead', 'Admin'].map((name) => box.user(name)),
  )
  if (!owner || !outsider || !colleague || !member || !lead || !admin) throw new Error('A user is missing')
  Object.assign(people, { owner, outsider, colleague, member, lead, admin })
  site = await box.site(owner)
  // Outsiders have an organization too: a role there must not count here.
  await box.site(outsider, 'Elsewhere')
  await box.join(colleague, site, 'member')
  await box.join(member, site, 'member', 'member')
  await box.join(lead, site, 'member', 'admin')
  await box.join(admin, site, 'admin')
  // Open, so that outsiders may see it before they join.
  await owner.put(`/api/v1/organizations/${site.organization.id}`, { registration_mode: 'open' })

  Object.assign(ids, await makeResources(box, site, owner, colleague, member))
  // Its gate is pending, so that it can be decided; no worker signs attestations here.
  await box.sql`
    insert into attestations (gate_id, organization_id, project_id, digest, key_id, envelope)
    values (
      ${ids.gate_id ?? null}, ${site.organization.id}, ${site.project.id}, 'gitCommit:0', '0',
      ${box.sql.json({ payloadType: '', payload: '', signatures: [] })}
    )
  `
  await storeConnection(box.sql, site.organization.id)
  ids.domain_id = await storeDomain(box.sql, site.organization.id)
  const reader = await owner.make('/api/v1/auth/tokens', { name: 'Reader', scope: 'read' })
  people.token = new Actor(box, 'Token', owner.email, owner.id, ids.token ?? '', '')
  people.reader = new Actor(box, 'Reader', owner.email, owner.id, reader.token, '')
})
afterAll(() => box.close())

const operations = () =>
  Object.entries(box.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )

test('what no member can read is declared as confidential by the routes that return it', () => {
  type Shown = { $ref?: string; items?: Shown; properties?: Record<string, Shown> }
  const shownBy = ({ responses }: { responses: object }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const schema: Shown | undefined = content?.['application/json']?.schema
      const item = schema?.items ?? schema?.properties?.items?.items ?? schema
      return item && status < '300' ? [{ status: Number(status), name: item.$ref ?? JSON.stringify(item) }] : []
    })
  const all = operations().map(({ name, operation }) => ({ name, operation, role: operation['x-signalbox-access']?.role }))
  const readable = all
    .filter(({ name, role }) => name.startsWith('GET') && role === 'member')
    .flatMap(({ operation }) => shownBy(operation))
  const known = new Set(readable.map(({ name }) => name))
  const hidden = all
    .filter(({ name, role }) => name.startsWith('POST') && role !== undefined && role !== 'member')
    .flatMap(({ name, operation }) =>
      shownBy(operation)
        .filter((shown) => !known.has(shown.name))
        .filter(({ status }) => !operation['x-signalbox-confidential']?.includes(status))
        .map(({ status }) => `${name} ${status}`),
    )
  expect(hidden.toSorted()).toEqual([
    // Dispatches, which members see, and how many there are.
    'POST /api/v1/deployment-hooks/{hook_id}/recover 200',
    'POST /api/v1/deployment-hooks/{hook_id}/recover 202',
    // It lets nobody in.
    'POST /api/v1/gates/{gate_id}/challenge 200',
    // Domains, with records that are made public.
    'POST /api/v1/organizations/{org_id}/sso/domains 201',
    'POST /api/v1/organizations/{org_id}/sso/domains/{domain_id}/verify 200',
    'POST /api/v1/projects/{project_id}/deployment-rollback 200',
    'POST /api/v1/projects/{project_id}/deployment-rollback 202',
  ])
})

test('every operation documents the access that is required', () => {
  const documented = Object.fromEntries(
    operations().map(({ name, operation }) => {
      const { kind, role, only_reads } = operation['x-signalbox-access'] ?? { kind: 'nothing' }
      if (!role) return [name, only_reads ? `${kind} who reads` : kind]
      if (role === 'organization admin') return [name, `${role} in ${kind === 'gate' ? 'a session' : 'the workspace'}`]
      const where = ['organization', 'runtime', 'group', 'service_account'].includes(kind) ? 'organization' : 'workspace'
      return [name, `${where} ${role}${only_reads ? ' who reads' : ''}`]
    }),
  )
  expect(documented).toEqual(REQUIRED_ACCESS)
})

describe('Access', () => {
  for (const [name, needs] of Object.entries(REQUIRED_ACCESS)) {
    test(`${name} requires ${needs}`, async () => {
      const [method = '', template = ''] = name.split(' ')
      const path = template.replaceAll(/\{(\w+)\}/g, (_, param: string) => ids[param] ?? '')
      const answers: Record<string, unknown> = {}
      for (const [who, actor] of Object.entries(people)) {
        // Changes are sent with an unknown parameter, so that those with access get 422 and nothing changes.
        const target = method === 'GET' ? path : `${path}?nonsense=1`
        const send = actor ?? box
        const type = Object.keys(box.contract.operation(method, path)?.requestBody?.content ?? {})[0] ?? 'application/json'
        const body = method === 'POST' || method === 'PUT' ? {} : undefined
        const { status } = await send.request(method, target, body, { 'Content-Type': type })
        answers[who] = [401, 403, 404].includes(status) ? status : 'passed'
        const refused = path.startsWith('/oauth/') ? 400 : 422
        if (answers[who] === 'passed') expect(status).toBe(method === 'GET' ? 200 : refused)
      }
      expect(answers).toEqual(answersTo(needs, method))
    })
  }

  test('a workspace that a member cannot enter is still listed in its organization', async () => {
    const { body } = await (people.colleague as Actor).get(`/api/v1/organizations/${ids.org_id}/workspaces`)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([ids.workspace_id])
  })

  test('a removed role takes effect with the next request', async () => {
    const member = people.member as Actor
    const path = `/api/v1/workspaces/${ids.workspace_id}`
    expect((await member.get(path)).status).toBe(200)
    await box.sql`delete from workspace_members where user_id = ${member.id}`
    expect((await member.get(path)).status).toBe(404)
    expect((await member.get(`/api/v1/organizations/${ids.org_id}`)).status).toBe(200)
    await box.leave(member, ids.org_id as string)
    expect((await member.get(`/api/v1/organizations/${ids.org_id}`)).status).toBe(404)
  })
})
