import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addTotp } from '../support/second-factors.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  // Only an owner with a second factor can require one.
  await addTotp(box, ada)
})
afterAll(() => box.close())

/** Fields that a PUT takes and that change nothing that is shown: a proof, and what is fixed when the resource is made. */
const WITHOUT_EFFECT: Record<string, string[]> = {
  '/api/v1/deployment-hooks/{hook_id}': ['signature'],
  '/api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}': ['channel_type'],
  '/api/v1/users/me': ['current_password', 'password', 'email'],
  // Only false is possible.
  '/api/v1/projects/{project_id}/environments/{environment}/policy': ['require_passkey'],
}

/** New values for fields that a PUT can change. For others the document has one: another word, the other boolean, or an example. */
const VALUES: Record<string, Record<string, unknown>> = {
  '/api/v1/users/me': { name: 'Ada King' },
  '/api/v1/organizations/{org_id}': {
    name: 'Northwind',
    description: 'Ships things.',
    logo_url: 'https://example.com/logo.png',
    settings: { theme: 'dark' },
    registration_mode: 'open',
    require_second_factor: true,
    max_workspaces: 7,
    max_members: 8,
    budget_monthly_limit_usd: 9,
    budget_alert_threshold: 0.5,
  },
  '/api/v1/workspaces/{workspace_id}': {
    name: 'Payments',
    description: 'Takes money.',
    budget_monthly_limit_usd: 9,
    budget_alert_threshold: 0.5,
    gate_policy: { required_approvals: 2 },
  },
  '/api/v1/groups/{group_id}': { name: 'Security', description: 'Reviews.' },
  '/api/v1/projects/{project_id}/environments/{environment}/policy': {
    required_approvals: 2,
    prevent_self_approval: true,
    expires_in_seconds: 600,
    decide_via: ['app'],
    // Set when there is a group.
    approvers: [],
    require_subject: true,
    require_checks: true,
    gate_required: true,
    promotes_from: 'staging',
    freezes: [{ name: 'Holidays', from: '2026-12-20T00:00:00Z', until: '2027-01-02T00:00:00Z' }],
  },
  '/api/v1/projects/{project_id}': {
    name: 'Basket',
    description: 'Holds things.',
    repository_url: 'https://git.example.com/basket',
    support: 'help@example.com',
    version_scheme: 'semver',
  },
  '/api/v1/requirements/{requirement_id}': {
    title: 'Pay by card',
    description: 'At once.',
    kind: 'fix',
    acceptance_criteria: ['It is paid.'],
    status: 'in_progress',
  },
  '/api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}': {
    name: 'Alarms',
    config: { url: 'https://ci.example.com/other' },
    enabled: false,
  },
  '/api/v1/notifications/preferences': {
    email_enabled: false,
    desktop_enabled: true,
    types: ['gate_pending'],
    email_types: ['gate_pending'],
  },
}

/**
 * Resources without an id of their own in the path, or with one field that replaces them whole; and a connection of single sign-on, which asks
 * its provider (if-match.test.ts).
 */
const WHOLE = /\/(members\/\{\w+\}|workflow-template|avatar|api-description|sso)$/

async function resources(): Promise<Record<string, string>> {
  const { organization, workspace, project } = site
  const requirement = await ada.make(`/api/v1/projects/${project.id}/requirements`, { title: 'Pay by invoice' })
  const hook = await ada.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: 'https://ci.example.com/hook',
    secret: null,
    trigger_on: 'gate_approved',
  })
  const channel = await ada.make(`/api/v1/workspaces/${workspace.id}/notification-channels`, {
    name: 'Releases',
    channel_type: 'webhook',
    config: { url: 'https://ci.example.com/channel' },
  })
  const group = await ada.make(`/api/v1/organizations/${organization.id}/groups`, { name: 'Reviewers' })
  Object.assign(VALUES['/api/v1/projects/{project_id}/environments/{environment}/policy'] ?? {}, {
    approvers: [{ group_id: group.id, count: 1 }],
  })
  for (const environment of ['staging', 'production'])
    await ada.put(`/api/v1/projects/${project.id}/environments/${environment}/policy`, {})
  return {
    '/api/v1/groups/{group_id}': `/api/v1/groups/${group.id}`,
    '/api/v1/projects/{project_id}/environments/{environment}/policy': `/api/v1/projects/${project.id}/environments/production/policy`,
    '/api/v1/users/me': '/api/v1/users/me',
    '/api/v1/organizations/{org_id}': `/api/v1/organizations/${organization.id}`,
    '/api/v1/workspaces/{workspace_id}': `/api/v1/workspaces/${workspace.id}`,
    '/api/v1/projects/{project_id}': `/api/v1/projects/${project.id}`,
    '/api/v1/requirements/{requirement_id}': `/api/v1/requirements/${requirement.id}`,
    '/api/v1/deployment-hooks/{hook_id}': `/api/v1/deployment-hooks/${hook.id}`,
    '/api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}': `/api/v1/workspaces/${workspace.id}/notification-channels/${channel.id}`,
    '/api/v1/notifications/preferences': '/api/v1/notifications/preferences',
  }
}

/** The fields that a request may have, and their schemas. */
const fieldsOf = (method: 'post' | 'put', path: string): [name: string, schema: Documented][] => {
  const body = box.contract.document.paths[path]?.[method]?.requestBody?.content['application/json']?.schema
  return Object.entries((body as { properties?: Record<string, Documented> } | undefined)?.properties ?? {})
}

interface Documented {
  type?: string
  enum?: unknown[]
  examples?: unknown[]
  anyOf?: Documented[]
}

const documentedValues = ({ type, enum: words, examples, anyOf = [] }: Documented): unknown[] => [
  ...(words ?? (type === 'boolean' ? [true, false] : (examples ?? []))),
  ...anyOf.flatMap(documentedValues),
]

/** A value for each field of a PUT that has an effect, other than the shown one; undefined where there is none. */
const newValues = (path: string, shown: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf('put', path)
      .filter(([field]) => !WITHOUT_EFFECT[path]?.includes(field))
      .map(([field, schema]) => [
        field,
        VALUES[path]?.[field] ?? documentedValues(schema).find((value) => !Bun.deepEquals(value, shown[field])),
      ]),
  )

test('every field of every PUT has a value: here, or in its documentation', () => {
  const known = Object.entries(VALUES).flatMap(([path, values]) => Object.keys(values).map((field) => `${path} ${field}`))
  const puts = Object.keys(box.contract.document.paths).filter((path) => !WHOLE.test(path))
  const documented = puts.flatMap((path) => fieldsOf('put', path).map(([field]) => `${path} ${field}`))
  expect(known.filter((field) => !documented.includes(field))).toEqual([])
  const without = puts.flatMap((path) =>
    Object.entries(newValues(path)).flatMap(([field, value]) => (value === undefined ? `${path} ${field}` : [])),
  )
  expect(without).toEqual([])
})

/** Columns that are set when a row is made, and `updated_at` itself. */
const FIXED = ['id', 'organization_id', 'workspace_id', 'project_id', 'created_by', 'created_at', 'updated_at']

/** Columns whose change keeps the version of their row, and why it may. */
const KEEPS_VERSION: Record<string, Record<string, string>> = {
  deployment_hooks: {
    mode: 'fixed',
    temporary: 'fixed',
    claimed_at: 'not shown',
    signature: 'fixed',
    public_key: 'written with secret',
    previous_secret: 'written with secret; deleting it later changes nothing that is shown',
    previous_secret_until: 'written with secret; deleting it later changes nothing that is shown',
    header_names: 'written with headers',
    template_secret_names: 'written with template_secrets',
    target_since: 'not shown',
    pull_token_hash: 'not shown',
  },
  dual_track_comparisons: {
    work_item_id: 'fixed',
    track_a_graph_id: 'fixed',
    track_b_graph_id: 'fixed',
    track_a_agent: 'fixed',
    track_b_agent: 'fixed',
    run: 'not shown',
    model_answers: 'not shown',
    cost_usd: 'written with result',
    request_id: 'not shown',
  },
  notification_channels: { channel_type: 'fixed', target_since: 'not shown' },
  organizations: {
    org_key: 'fixed',
    slug: 'fixed',
    owner_role: 'fixed',
    budget_epoch: 'not shown',
    member_count: 'a counter',
    workspace_count: 'a counter',
    deleted_at: 'a deleted organization is not shown',
  },
  projects: { requirement_count: 'a counter' },
  service_accounts: {
    deleted_at: 'a deleted account is not shown',
    last_used_at: 'a use is no change',
    last_used_address: 'a use is no change',
  },
  users: { is_address_assumed: 'not shown', password_reset_at: 'not shown', second_factors: 'not shown' },
}

test('a column that no trigger of its table knows is one that keeps the version', async () => {
  const unknown = await box.sql<{ table: string; columns: string[] }[]>`
    select relname as table, array_agg(attname::text) as columns
    from pg_class
    join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')
      and not relispartition
      and attnum > 0
      and not attisdropped
      and attname <> all(${FIXED})
      and exists (select from pg_attribute as version where version.attrelid = pg_class.oid and version.attname = 'updated_at')
      and not exists (
        select
        from pg_trigger
        where tgrelid = pg_class.oid
          and tgfoid = 'touch'::regproc
          and (cardinality(tgattr::int2[]) = 0 or attnum = any(tgattr))
      )
    group by relname
  `
  const found = Object.fromEntries(unknown.map(({ table, columns }) => [table, columns.toSorted()]))
  const known = Object.entries(KEEPS_VERSION).map(([table, columns]) => [table, Object.keys(columns).toSorted()])
  expect(found).toEqual(Object.fromEntries(known))
})

/** A user's own account and preferences have no entries in an audit log. */
const isAudited = (path: string): boolean => !/users|preferences/.test(path)

async function lastEntry(): Promise<string> {
  const [entry] = await box.sql<[{ detail: string }]>`
    select detail from audit_log_entries order by created_at desc, id desc limit 1
  `
  return entry.detail
}

test('a change of any field makes a new version, and is audited: updated_at and the entity tag change', async () => {
  for (const [template, path] of Object.entries(await resources())) {
    const first = await ada.get(path)
    for (const [field, value] of Object.entries(newValues(template, first.body))) {
      const before = await ada.get(path)
      const after = await ada.put(path, { [field]: value })
      expect([template, field, after.status]).toEqual([template, field, 200])
      expect([field, Date.parse(after.body.updated_at) > Date.parse(before.body.updated_at)]).toEqual([field, true])
      expect([field, after.headers.get('etag')]).not.toEqual([field, before.headers.get('etag')])
      if (isAudited(template)) expect(await lastEntry()).toContain(` ${field}`)
      const stale = await ada.put(path, { [field]: value }, { 'If-Match': before.headers.get('etag') ?? '' })
      expect([field, stale.status]).toEqual([field, 412])
    }
  }
})

/** Each POST that makes a resource, the PUT that changes it, and what it takes in addition to the fields of that. */
const CREATED: Record<string, { put: string; more?: Record<string, unknown> }> = {
  '/api/v1/organizations': { put: '/api/v1/organizations/{org_id}' },
  // Names of groups are unique.
  '/api/v1/organizations/{org_id}/groups': { put: '/api/v1/groups/{group_id}', more: { name: 'Release' } },
  '/api/v1/organizations/{org_id}/workspaces': { put: '/api/v1/workspaces/{workspace_id}' },
  '/api/v1/workspaces/{workspace_id}/projects': { put: '/api/v1/projects/{project_id}' },
  '/api/v1/projects/{project_id}/requirements': { put: '/api/v1/requirements/{requirement_id}' },
  '/api/v1/projects/{project_id}/deployment-hooks': {
    put: '/api/v1/deployment-hooks/{hook_id}',
    more: { mode: 'push', signature: 'hmac', temporary: false },
  },
  '/api/v1/workspaces/{workspace_id}/notification-channels': {
    put: '/api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}',
    more: { channel_type: 'webhook' },
  },
}

/** Fields that are shown in another form. */
const HIDDEN = ['secret', 'headers', 'template_secrets']

test.each(Object.entries(CREATED))('a POST to %s stores every field that it takes', async (template, { put, more = {} }) => {
  const values: Record<string, unknown> = { ...newValues(put), ...more }
  const taken = fieldsOf('post', template).map(([field]) => field)
  expect(taken.filter((field) => !(field in values))).toEqual([])
  const body = Object.fromEntries(taken.map((field) => [field, values[field]]))
  const { organization, workspace, project } = site
  const ids: Record<string, string> = { org_id: organization.id, workspace_id: workspace.id, project_id: project.id }
  const created = await ada.make(
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ''),
    body,
  )
  for (const [field, value] of Object.entries(body))
    if (!HIDDEN.includes(field)) expect([field, created[field]]).toEqual([field, value])
})
