/** Each list of the API with three rows or more, and what makes one of them vanish. */
import { waitForNotifications } from '../notifications/inbox.ts'
import { storeConnection } from '../sso/stored-connection.ts'
import { tomorrow } from '../support/service-accounts.ts'
import type { Actor, Answer, Box, Site } from '../support/signalbox.ts'

type Row = Answer['body']

interface Walked {
  path: string
  /** Removes a row that was shown. */
  remove: (row: Row) => Promise<unknown>
  /** Whose list it is; by default the owner's. */
  by?: Actor
}

const FOUR = [1, 2, 3, 4]
/** What the worker does is done with the answer: a row that changes later would differ between two reads. */
const ENDED = { Prefer: 'wait=25' }

/** What identifies a row. */
export const idOf = ({ id, user_id, gate_id, environment, dispatch_id, url, month, agent }: Row): string =>
  id ?? gate_id ?? user_id ?? dispatch_id ?? environment ?? url ?? `${month} ${agent}`

/** The lists by the `operationId` of their routes. */
export function walkedLists(box: Box, ada: Actor, site: Site): Record<string, () => Promise<Walked>> {
  const { sql } = box
  const [organization, workspace, project] = [
    `/api/v1/organizations/${site.organization.id}`,
    `/api/v1/workspaces/${site.workspace.id}`,
    `/api/v1/projects/${site.project.id}`,
  ]
  /** Makes four things one after the other. */
  const four = async (path: string, body: (number: number) => object, by = ada, headers = {}) => {
    const made: Row[] = []
    for (const number of FOUR) made.push(await by.make(path, body(number), headers))
    return made
  }
  const from =
    (table: string, column = 'id') =>
    (row: Row) =>
      sql`delete from ${sql(table)} where ${sql(column)} = ${idOf(row)}`
  const removed = (path: string) => (row: Row) => ada.delete(`${path}/${idOf(row)}`)
  const named = (number: number) => ({ name: `Number ${number}` })
  const hook = (environment: string) => ({
    ...named(1),
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
    report_within_seconds: 600,
    paused: true,
    environment,
  })
  const people = async () => {
    const found: Actor[] = []
    for (const number of FOUR) found.push(await box.user(`Person ${number}`))
    return found
  }
  const execution = () => box.running(ada, site.project.id)
  const channel = () =>
    ada.make(`${workspace}/notification-channels`, {
      ...named(1),
      channel_type: 'webhook',
      config: { url: 'http://127.0.0.1:9/' },
    })
  const account = () => ada.make(`${organization}/service-accounts`, { ...named(1), scopes: ['work:read'] })
  /** A person whom the owner has added to four organizations, and whom three notifications tell so. */
  const added = async () => {
    const person = await box.user('Added')
    for (const { id } of await four('/api/v1/organizations', named)) {
      await ada.make(`/api/v1/organizations/${id}/members`, { email: person.email })
    }
    await waitForNotifications(box, person, 3)
    return person
  }

  return {
    listSessions: async () => {
      const by = await box.user('Signed in')
      await sql`
        with session as (
          insert into sessions (user_id, device, ip_address)
          select ${by.id}, 'Test', '127.0.0.1' from generate_series(1, 4)
          returning id
        )
        insert into refresh_tokens (hash, session_id, expires_at)
        select sha256(uuid_send(id)), id, now() + interval '1 hour' from session
      `
      return { by, path: '/api/v1/auth/sessions', remove: (row) => by.delete(`/api/v1/auth/sessions/${row.id}`) }
    },
    listPasskeys: async () => {
      await sql`
        insert into passkeys (user_id, name, credential_id, public_key, sign_count, backed_up)
        select ${ada.id}, 'Key', uuid_send(uuidv7()), '', 0, false from generate_series(1, 4)
      `
      return { path: '/api/v1/auth/passkeys', remove: from('passkeys') }
    },
    listSecurityLog: async () => {
      await sql`
        insert into security_log_entries (user_id, email, action, detail)
        select ${ada.id}, ${ada.email}, 'token.created', 'Made.' from generate_series(1, 4)
      `
      return { path: '/api/v1/users/me/security-log', remove: from('security_log_entries') }
    },
    listIdentities: async () => {
      await sql`
        insert into user_identities (user_id, provider, team_id, external_id)
        select ${ada.id}, 'slack', 'T1', uuidv7()::text from generate_series(1, 4)
      `
      return { path: '/api/v1/users/me/identities', remove: from('user_identities') }
    },
    listTokens: async () => {
      await four('/api/v1/auth/tokens', (number) => ({ ...named(number), scope: 'read' }))
      return { path: '/api/v1/auth/tokens', remove: removed('/api/v1/auth/tokens') }
    },
    listOrganizationTokens: async () => {
      const input = { scope: 'read', organization_id: site.organization.id }
      await four('/api/v1/auth/tokens', (number) => ({ ...named(number), ...input }))
      return { path: `${organization}/tokens`, remove: removed(`${organization}/tokens`) }
    },
    listServiceAccounts: async () => {
      await four(`${organization}/service-accounts`, (number) => ({ ...named(number), scopes: ['work:read'] }))
      return { path: `${organization}/service-accounts`, remove: removed('/api/v1/service-accounts') }
    },
    listServiceAccountKeys: async () => {
      const path = `/api/v1/service-accounts/${(await account()).id}/keys`
      await four(path, (number) => ({ ...named(number), expires_at: tomorrow() }))
      return { path, remove: removed(path) }
    },
    listTrusts: async () => {
      const path = `/api/v1/service-accounts/${(await account()).id}/trusts`
      await four(path, (number) => ({ issuer: 'https://ci.example.com', claims: { sub: [`job ${number}`] } }))
      return { path, remove: removed(path) }
    },
    listOrganizations: async () => {
      const by = await box.user('Founder')
      await four('/api/v1/organizations', named, by)
      return { by, path: '/api/v1/organizations', remove: ({ id }) => by.delete(`/api/v1/organizations/${id}`) }
    },
    listMembers: async () => {
      for (const person of await people()) await box.join(person, site, 'member')
      return { path: `${organization}/members?query=e`, remove: removed(`${organization}/members`) }
    },
    listWorkspaceMembers: async () => {
      for (const person of await people()) await box.join(person, site, 'member', 'member')
      return { path: `${workspace}/members`, remove: removed(`${workspace}/members`) }
    },
    listInvitations: async () => {
      await four(`${organization}/members`, (number) => ({ email: `invited-${number}@example.com` }))
      return { path: `${organization}/invitations`, remove: removed(`${organization}/invitations`) }
    },
    listMyInvitations: async () => {
      const by = await box.user('Invited')
      for (const { id } of await four('/api/v1/organizations', named)) {
        await ada.make(`/api/v1/organizations/${id}/members`, { email: 'soon@example.com' })
      }
      await sql`update invitations set email = ${by.email} where email = 'soon@example.com'`
      return { by, path: '/api/v1/users/me/invitations', remove: from('invitations') }
    },
    getBudgetHistory: async () => {
      await sql`
        insert into agent_spend (organization_id, month, workspace_id, project_id, agent, used_usd)
        select ${site.organization.id}, date_trunc('month', now())::date, ${site.workspace.id}, ${site.project.id}, agent, 1
        from unnest(array['ä', 'B', 'a: "b"', 'C🙂']) as agent
      `
      return {
        path: `${organization}/budget/history?group_by=agent`,
        remove: ({ agent }) => sql`delete from agent_spend where agent = ${agent} and project_id = ${site.project.id}`,
      }
    },
    listGroups: async () => {
      await four(`${organization}/groups`, named)
      return { path: `${organization}/groups`, remove: removed('/api/v1/groups') }
    },
    listGroupMembers: async () => {
      const { id } = await ada.make(`${organization}/groups`, { name: 'Approvers' })
      for (const person of await people()) {
        await box.join(person, site, 'member')
        await ada.put(`/api/v1/groups/${id}/members/${person.id}`)
      }
      return { path: `/api/v1/groups/${id}/members`, remove: removed(`/api/v1/groups/${id}/members`) }
    },
    listRuntimes: async () => {
      await four(`${organization}/runtimes`, (number) => ({ ...named(number), hostname: 'localhost' }))
      return { path: `${organization}/runtimes`, remove: from('runtimes') }
    },
    listAuditLog: async () => {
      await four(`${workspace}/projects`, named)
      // Its entries stay.
      return { path: `${organization}/audit-logs?action=project.*`, remove: async () => {} }
    },
    listWorkspaces: async () => {
      await four(`${organization}/workspaces`, named)
      return { path: `${organization}/workspaces`, remove: removed('/api/v1/workspaces') }
    },
    listProjects: async () => {
      await four(`${workspace}/projects`, named)
      return { path: `${workspace}/projects`, remove: removed('/api/v1/projects') }
    },
    listRequirements: async () => {
      await four(`${project}/requirements`, (number) => ({ title: `Number ${number}`, kind: 'docs' }))
      return { path: `${project}/requirements?kind=docs&status=open`, remove: removed('/api/v1/requirements') }
    },
    listExecutions: async () => {
      const { requirement_id } = await execution()
      await four(`/api/v1/requirements/${requirement_id}/executions`, () => ({ agent: 'claude' }))
      return {
        path: `/api/v1/requirements/${requirement_id}/executions?status=queued`,
        remove: ({ id }) => ada.make(`/api/v1/executions/${id}/cancel`),
      }
    },
    listExecutionGates: async () => {
      const { id } = await execution()
      await four(`/api/v1/executions/${id}/gates`, named)
      return { path: `/api/v1/executions/${id}/gates`, remove: from('gates') }
    },
    listGates: async () => {
      await four(`${project}/gates`, named)
      return { path: `${project}/gates?status=pending`, remove: ({ id }) => ada.make(`/api/v1/gates/${id}/reject`) }
    },
    listAttestations: async () => {
      for (const gate of await four(`${project}/gates`, (number) => ({ name: `Attested ${number}` }))) {
        await sql`
          insert into attestations (gate_id, organization_id, project_id, digest, key_id, envelope)
          values (
            ${gate.id}, ${site.organization.id}, ${site.project.id}, ${`gitCommit:${'0'.repeat(40)}`}, '0',
            ${sql.json({ payloadType: '', payload: '', signatures: [] })}
          )
        `
      }
      return { path: `${project}/attestations?digest=gitCommit:${'0'.repeat(40)}`, remove: from('gates') }
    },
    listDeploymentHooks: async () => {
      await four(`${project}/deployment-hooks`, () => hook('production'))
      return { path: `${project}/deployment-hooks`, remove: removed('/api/v1/deployment-hooks') }
    },
    listDispatches: async () => {
      const { id } = await ada.make(`${project}/deployment-hooks`, hook('production'))
      await four(`/api/v1/deployment-hooks/${id}/trigger`, () => ({}))
      return { path: `/api/v1/deployment-hooks/${id}/dispatches`, remove: from('dispatches') }
    },
    listActivity: async () => {
      const { id } = await ada.make(`${workspace}/projects`, named(1))
      await four(`/api/v1/projects/${id}/requirements`, (number) => ({ title: `Number ${number}` }))
      return { path: `/api/v1/projects/${id}/activity`, remove: async () => {} }
    },
    listEnvironments: async () => {
      const { id } = await ada.make(`${workspace}/projects`, named(1))
      for (const name of ['ä', 'Z', 'a b/c?', 'z']) await ada.make(`/api/v1/projects/${id}/deployment-hooks`, hook(name))
      return { path: `/api/v1/projects/${id}/environments`, remove: from('deployment_hooks', 'environment') }
    },
    listRollouts: async () => {
      const { id } = await ada.make(`${project}/deployment-hooks`, hook('Größe/1'))
      await four(`/api/v1/deployment-hooks/${id}/trigger`, () => ({}))
      return { path: `${project}/environments/${encodeURIComponent('Größe/1')}/rollouts`, remove: from('rollouts') }
    },
    listComparisons: async () => {
      const { id, requirement_id, graph_id } = await execution()
      const other = await ada.make(`/api/v1/requirements/${requirement_id}/executions`, { agent: 'codex' })
      await four(`${project}/dual-track`, () => ({
        work_item_id: requirement_id,
        track_a_graph_id: graph_id,
        track_b_graph_id: other.graph_id,
        track_a_agent: id,
        track_b_agent: 'codex',
      }))
      return { path: `${project}/dual-track`, remove: from('dual_track_comparisons') }
    },
    listSsoDomains: async () => {
      const { id } = await ada.make('/api/v1/organizations', named(1))
      await storeConnection(sql, id)
      const path = `/api/v1/organizations/${id}/sso/domains`
      await four(path, (number) => ({ domain: `number-${number}.example` }))
      return { path, remove: removed(path) }
    },
    listSsoIdentities: async () => {
      const { id } = await ada.make('/api/v1/organizations', named(1))
      const connection_id = await storeConnection(sql, id)
      const users = (await people()).map((each) => each.id)
      await sql`
        insert into sso_identities (connection_id, issuer, subject, user_id)
        select ${connection_id}, 'https://login.example.com', user_id, user_id::uuid from unnest(${users}::text[]) as user_id
      `
      const path = `/api/v1/organizations/${id}/sso/identities`
      return { path, remove: removed(path) }
    },
    listNotificationChannels: async () => {
      for (const _ of FOUR) await channel()
      return { path: `${workspace}/notification-channels`, remove: removed('/api/v1/notification-channels') }
    },
    listSubscriptions: async () => {
      const path = `/api/v1/notification-channels/${(await channel()).id}/subscriptions`
      const patterns = ['*', 'gate.*', 'rollout.*', 'budget.*']
      await four(path, (number) => ({ event_pattern: patterns[number - 1] }))
      return { path, remove: from('subscriptions') }
    },
    listNotificationLog: async () => {
      const { id } = await channel()
      await four(`${workspace}/notification-channels/${id}/test`, () => ({}), ada, ENDED)
      return { path: `/api/v1/notification-channels/${id}/logs`, remove: from('channel_messages') }
    },
    listDeliverables: async () => {
      await four(`${project}/deliverables/generate`, () => ({ deliverable_type: 'changelog' }), ada, ENDED)
      return { path: `${project}/deliverables?deliverable_type=changelog`, remove: from('deliverables') }
    },
    listNotifications: async () => {
      const by = await added()
      return {
        by,
        path: '/api/v1/notifications?unread_only=true',
        remove: ({ id }) => by.make(`/api/v1/notifications/${id}/read`),
      }
    },
  }
}
