/** A project with a resource of each kind, for tests of what service accounts may do on every route. */
import { serviceScopes } from '../../api/credentials/scopes.ts'
import { makeResources } from '../api/resources.ts'
import type { Operation } from '../support/openapi.ts'
import { type Machine, makeMachine } from '../support/service-accounts.ts'
import type { Actor, Box, Site } from '../support/signalbox.ts'

export interface Scene {
  owner: Actor
  site: Site
  /** The ids of resources, by the parameter that names them in a path. */
  ids: Record<string, string>
  /** For each scope, an account that has it alone. */
  oneScope: Map<string, Machine>
}

export async function makeScene(box: Box): Promise<Scene> {
  const [owner, colleague, member] = await Promise.all([box.user('Ada'), box.user('Colleague'), box.user('Member')])
  const site = await box.site(owner)
  await box.join(colleague, site, 'member')
  await box.join(member, site, 'member', 'member')
  const ids = await makeResources(box, site, owner, colleague, member)
  // No worker signs attestations here.
  await box.sql`
    insert into attestations (gate_id, organization_id, project_id, digest, key_id, envelope)
    values (
      ${ids.gate_id ?? null}, ${site.organization.id}, ${site.project.id}, 'gitCommit:0', '0',
      ${box.sql.json({ payloadType: '', payload: '', signatures: [] })}
    )
  `
  const oneScope = new Map<string, Machine>()
  for (const scope of serviceScopes) oneScope.set(scope, await makeMachine(box, owner, site, [scope], { name: scope }))
  return { owner, site, ids, oneScope }
}

export interface Route {
  name: string
  method: string
  template: string
  operation: Operation
}

/** The routes that are not open to everybody. */
export const routesOf = (box: Box): Route[] =>
  Object.entries(box.contract.document.paths).flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-signalbox-access']?.kind !== 'open')
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        template,
        operation,
      })),
  )

/** The scopes of which an account needs one. */
export const scopesOf = ({ operation }: Route): string[] => {
  const { scopes = [] } = operation['x-signalbox-access'] ?? {}
  return scopes === 'any' ? serviceScopes : scopes
}

export const ABSENT = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'

/** A path with the ids of resources, or with one id for all. */
export const pathOf = (template: string, ids: Record<string, string>, id?: string): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'environment' ? 'production' : (id ?? ids[name] ?? ABSENT)))

/** Sends a request that is refused for its access, or for its parameter. */
export function send(caller: Actor, { method, operation }: Route, path: string) {
  const type = Object.keys(operation.requestBody?.content ?? {})[0] ?? 'application/json'
  const body = method === 'POST' || method === 'PUT' ? {} : undefined
  return caller.request(method, method === 'GET' ? path : `${path}?nonsense=1`, body, { 'Content-Type': type })
}
