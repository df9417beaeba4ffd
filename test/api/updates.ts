/** Every PUT of the API: the first state, the change, and what its audit entry must contain. */
import { SHOP } from '../api-descriptions/shop.ts'
import type { Actor, Site } from '../support/signalbox.ts'
import { pixel } from './pixel.ts'

/** The resources that paths name. */
export interface Place extends Site {
  ada: Actor
  grace: Actor
  requirement: { id: string }
  group: { id: string }
  account: { id: string }
  trust: { id: string }
  hook: { id: string }
  channel: { id: string }
}

/** One PUT of the API: the first state, the change, and what its audit entry must contain. */
export interface Update {
  path: (place: Place) => string
  first: unknown
  second: unknown
  /** The path whose entity tag identifies the record, if the response to PUT shows another one. */
  reads?: (place: Place) => string
  type?: string
  /** The audit entry of the change from `first` to `second`; null for a user's own account, which has none. */
  entry: { action: string; says: string[]; never?: string[] } | null
}

const inOrganization = ({ organization }: Place) => `/api/v1/organizations/${organization.id}`
const inWorkspace = ({ workspace }: Place) => `/api/v1/workspaces/${workspace.id}`
const inProject = ({ project }: Place) => `/api/v1/projects/${project.id}`
const long = (middle: string) => `${'x'.repeat(4000)}${middle}${'y'.repeat(4000)}`

const template = (path: (place: Place) => string, of: string): Update => ({
  path: (place) => `${path(place)}/workflow-template`,
  first: { template: `steps: one for the ${of}` },
  second: { template: `steps: two for the ${of}` },
  entry: {
    action: 'workflow_template.updated',
    says: [`template from "steps: one for the ${of}" to "steps: two for the ${of}"`],
  },
})

/** Every PUT, by its path in the OpenAPI document. */
export const UPDATES: Record<string, Update> = {
  '/api/v1/groups/{group_id}': {
    path: ({ group }) => `/api/v1/groups/${group.id}`,
    first: { name: 'Security', description: null },
    second: { name: 'Reviewers', description: 'Review.' },
    entry: { action: 'group.updated', says: ['name from "Security" to "Reviewers"', 'description from none to "Review."'] },
  },
  '/api/v1/projects/{project_id}/environments/{environment}/policy': {
    path: (place) => `${inProject(place)}/environments/production/policy`,
    first: { required_approvals: null, require_subject: false, decide_via: null, freezes: [] },
    second: {
      required_approvals: 3,
      require_subject: true,
      decide_via: ['app', 'api'],
      freezes: [{ name: 'Holidays', from: '2026-12-20T00:00:00Z', until: '2027-01-02T00:00:00+01:00' }],
    },
    entry: {
      action: 'environment_policy.updated',
      says: ['required_approvals from none to 3', 'require_subject from false to true', 'decide_via from none to "api", "app"'],
    },
  },
  '/api/v1/organizations/{org_id}': {
    path: inOrganization,
    first: {
      name: 'Acme',
      description: null,
      logo_url: 'https://example.com/1.png',
      settings: { b: [1, { d: -0 }], a: 'x' },
      registration_mode: 'invite-only',
      max_workspaces: 5,
      max_members: null,
      budget_monthly_limit_usd: 1000.1,
      budget_alert_threshold: 0.123456789,
    },
    second: {
      name: 'Acme "Robotics"',
      description: 'We build',
      logo_url: null,
      settings: { a: 'y', b: [1, { d: 0 }] },
      registration_mode: 'open',
      max_workspaces: null,
      max_members: 7,
      budget_monthly_limit_usd: null,
      budget_alert_threshold: 0.8,
    },
    entry: {
      action: 'organization.updated',
      says: [
        'Ada changed the organization Acme: ',
        'name from "Acme" to "Acme \\"Robotics\\""',
        'description from none to "We build"',
        'logo_url from "https://example.com/1.png" to none',
        '"a":"x"',
        '"a":"y"',
        'registration_mode from "invite-only" to "open"',
        'max_workspaces from 5 to none',
        'max_members from none to 7',
        'budget_monthly_limit_usd from 1000.1 to none',
        'budget_alert_threshold from 0.123456789 to 0.8',
      ],
    },
  },
  '/api/v1/organizations/{org_id}/members/{member_user_id}': {
    path: (place) => `${inOrganization(place)}/members/${place.grace.id}`,
    first: { role: 'member' },
    second: { role: 'admin' },
    entry: { action: 'member.role_changed', says: ['Grace', 'role from "member" to "admin"'] },
  },
  '/api/v1/organizations/{org_id}/model-prices': {
    path: (place) => `${inOrganization(place)}/model-prices`,
    first: [
      { model: 'gpt-5', from: '2026-01-01T00:00:00Z', input: 1, cached_input: null, cache_write: null, output: 2 },
      { model: 'gone', from: '2026-01-01T00:00:00Z', input: 1, output: 2 },
    ],
    second: [{ model: 'gpt-5', from: '2026-01-01T01:00:00+01:00', input: 1, cached_input: 0.5, output: 3 }],
    entry: {
      action: 'model_price.updated',
      says: ['gpt-5 at 2026-01-01T00:00:00.000Z from {', '"output":3', 'gone at 2026-01-01T00:00:00.000Z from {', 'to none'],
    },
  },
  '/api/v1/service-accounts/{service_account_id}': {
    path: ({ account }) => `/api/v1/service-accounts/${account.id}`,
    first: {
      name: 'Release pipeline',
      description: null,
      workspace_id: null,
      project_id: null,
      scopes: ['gates:open'],
      enabled: true,
    },
    second: { name: 'Pipeline', description: 'Opens gates.', scopes: ['gates:open', 'gates:read'], enabled: false },
    entry: {
      action: 'service_account.updated',
      says: [
        'name from "Release pipeline" to "Pipeline"',
        'description from none to "Opens gates."',
        'enabled from true to false',
        'gates:read',
      ],
    },
  },
  '/api/v1/service-accounts/{service_account_id}/trusts/{trust_id}': {
    path: ({ account, trust }) => `/api/v1/service-accounts/${account.id}/trusts/${trust.id}`,
    first: { issuer: 'https://ci.example.com', audience: 'signalbox', claims: { sub: ['build'] }, max_ttl_seconds: 600 },
    second: { issuer: 'https://ci.example.com', audience: 'signalbox', claims: { sub: ['release'] }, max_ttl_seconds: 900 },
    entry: { action: 'service_account_trust.updated', says: ['max_ttl_seconds', 'claims', 'sub: release'] },
  },
  '/api/v1/organizations/{org_id}/agent-limits': {
    path: (place) => `${inOrganization(place)}/agent-limits`,
    first: [
      { agent: 'claude', max_cost_usd: 5 },
      { agent: 'codex', max_cost_usd: 6 },
    ],
    second: [
      { agent: 'cursor', max_cost_usd: 1 },
      { agent: 'codex', max_cost_usd: 7 },
    ],
    entry: { action: 'agent_limit.updated', says: ['claude from 5 to none', 'codex from 6 to 7', 'cursor from none to 1'] },
  },
  '/api/v1/organizations/{org_id}/workflow-template': template(inOrganization, 'organization'),
  '/api/v1/workspaces/{workspace_id}': {
    path: inWorkspace,
    first: { name: 'Platform', description: long('one'), budget_monthly_limit_usd: 5, budget_alert_threshold: 1 },
    second: { name: 'Platform', description: long('two'), budget_monthly_limit_usd: 6, budget_alert_threshold: 1 },
    entry: {
      action: 'workspace.updated',
      says: ['xxxoneyyy', 'xxxtwoyyy', 'budget_monthly_limit_usd from 5 to 6'],
      never: ['name from', 'budget_alert_threshold', 'x'.repeat(100)],
    },
  },
  '/api/v1/workspaces/{workspace_id}/members/{user_id}': {
    path: (place) => `${inWorkspace(place)}/members/${place.grace.id}`,
    first: { role: 'member' },
    second: { role: 'admin' },
    entry: { action: 'workspace_member.updated', says: ['Grace', 'role from "member" to "admin"'] },
  },
  '/api/v1/workspaces/{workspace_id}/workflow-template': template(inWorkspace, 'workspace'),
  '/api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}': {
    path: (place) => `${inWorkspace(place)}/notification-channels/${place.channel.id}`,
    first: {
      name: 'Room',
      channel_type: 'webhook',
      enabled: false,
      config: { url: 'http://127.0.0.1:9/a', secret: 'channel-secret-1', headers: { 'X-Key': 'channel-value-1', 'X-Old': 'o' } },
    },
    second: {
      name: 'Den',
      enabled: true,
      config: { url: 'http://127.0.0.1:9/b', secret: 'channel-secret-2', headers: { 'X-Key': 'channel-value-2', 'X-New': 'n' } },
    },
    entry: {
      action: 'notification_channel.updated',
      says: [
        'name from "Room" to "Den"',
        'enabled from false to true',
        'config.url from "http://127.0.0.1:9/a" to "http://127.0.0.1:9/b"',
        'config.secret changed',
        'config.headers.X-Key changed',
        'config.headers.X-Old removed',
        'config.headers.X-New added',
      ],
      never: ['channel-secret', 'channel-value', 'channel_type'],
    },
  },
  '/api/v1/projects/{project_id}': {
    path: inProject,
    first: { name: 'Checkout', description: 'Pays', repository_url: null, support: null, version_scheme: 'numbered' },
    second: {
      name: 'Checkout',
      description: 'Pays and refunds',
      repository_url: 'https://example.com/r',
      support: 'help@example.com',
      version_scheme: 'semver',
    },
    entry: {
      action: 'project.updated',
      says: ['description from "Pays" to "Pays and refunds"', 'repository_url from none to "https://example.com/r"'],
      never: ['name from'],
    },
  },
  '/api/v1/projects/{project_id}/workflow-template': template(inProject, 'project'),
  '/api/v1/projects/{project_id}/api-description': {
    path: (place) => `${inProject(place)}/api-description`,
    reads: (place) => `${inProject(place)}/api-description`,
    first: JSON.stringify(SHOP),
    second: JSON.stringify({ ...SHOP, info: { ...SHOP.info, version: '2.0.0' } }),
    entry: {
      action: 'api_description.updated',
      says: ['version from "1.4.2" to "2.0.0"', 'source from "', 'the project Checkout'],
      never: ['title from', 'operation_count', 'content_type'],
    },
  },
  '/api/v1/requirements/{requirement_id}': {
    path: (place) => `/api/v1/requirements/${place.requirement.id}`,
    first: { title: 'Pay', description: null, kind: 'feature', acceptance_criteria: ['a', 'b'], status: 'done' },
    second: { title: 'Pay', description: 'By invoice', kind: 'fix', acceptance_criteria: ['b', 'a'], status: 'open' },
    entry: {
      action: 'requirement.updated',
      says: [
        'requirement #1, Pay: ',
        'description from none to "By invoice"',
        'kind from "feature" to "fix"',
        'acceptance_criteria from "a", "b" to "b", "a"',
        'status from "done" to "open"',
      ],
      never: ['title from'],
    },
  },
  '/api/v1/deployment-hooks/{hook_id}': {
    path: (place) => `/api/v1/deployment-hooks/${place.hook.id}`,
    first: {
      name: 'Deploy',
      url: 'http://127.0.0.1:9/a',
      trigger_on: 'gate_approved',
      environment: 'production',
      secret: 'hook-secret-1',
      headers: { 'X-Key': 'hook-value-1', 'X-Old': 'o' },
      enabled: true,
      max_age_seconds: null,
      supersede: false,
      paused: false,
    },
    second: {
      name: 'Deploy',
      url: 'http://127.0.0.1:9/b',
      trigger_on: 'workflow_done',
      environment: 'staging',
      secret: null,
      headers: { 'X-Key': 'hook-value-2', 'X-New': 'n' },
      enabled: false,
      max_age_seconds: 60,
      supersede: true,
      paused: true,
    },
    entry: {
      action: 'deployment_hook.updated',
      says: [
        'url from "http://127.0.0.1:9/a" to "http://127.0.0.1:9/b"',
        'trigger_on from "gate_approved" to "workflow_done"',
        'environment from "production" to "staging"',
        'secret removed',
        'headers.X-Key changed',
        'headers.X-Old removed',
        'headers.X-New added',
        'enabled from true to false',
        'max_age_seconds from none to 60',
        'supersede from false to true',
        'paused from false to true',
      ],
      never: ['hook-secret', 'hook-value', 'name from'],
    },
  },
  '/api/v1/users/me': {
    path: () => '/api/v1/users/me',
    first: { name: 'Ada' },
    second: { name: 'Ada Lovelace' },
    entry: null,
  },
  '/api/v1/users/me/avatar': {
    path: () => '/api/v1/users/me/avatar',
    reads: (place) => `/api/v1/users/${place.ada.id}/avatar`,
    first: pixel(1),
    second: pixel(2),
    type: 'image/png',
    entry: null,
  },
  '/api/v1/notifications/preferences': {
    path: () => '/api/v1/notifications/preferences',
    first: { email_enabled: true, types: ['gate_pending', 'budget_alert', 'gate_pending'], email_types: [] },
    second: { desktop_enabled: true, types: ['budget_alert'] },
    entry: null,
  },
}
