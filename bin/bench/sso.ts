/** Authorized reads in organizations that require single sign-on, against the same in organizations that do not. */
import { costOf } from './costs.ts'
import { compareCpu, inTurns } from './figures.ts'
import { createWorkloads, IN_FLIGHT, ORGANIZATIONS, sendLoad } from './requests.ts'
import type { Part } from './stage.ts'

export const part: Part = {
  about: `processor time of API, worker and PostgreSQL for GET /organizations/{id} in ${ORGANIZATIONS} organizations that require single sign-on of everyone, by members who have signed on; ${IN_FLIGHT} in flight, three rounds of 4 s in turns. Baseline: as many organizations without single sign-on.`,
  async run({ url, quick, sql, processes }) {
    const [{ read: required }, { read: free }] = [await createWorkloads(url), await createWorkloads(url)]
    const ids = required.targets.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
    await sql`
      insert into sso_connections (
        organization_id, issuer, client_id, client_secret, scopes, claims, groups_claim, mappings, provision, trust_email,
        session_hours, required
      )
      select id, 'https://login.example.com', 'bench', '', 'openid', '{}', 'groups', '[]', false, false, 12, 'everyone'
      from unnest(${ids}::uuid[]) as id
    `
    await sql`
      update organization_members as member
      set sso_connection_id = connection.id, sso_required = 'everyone'
      from sso_connections as connection
      where connection.organization_id = member.organization_id
    `
    // Sessions of the API have no proofs; a statement finds those of the web app in the same way.
    await sql`
      insert into sso_proofs (session_id, connection_id, expires_at)
      select session.id, member.sso_connection_id, now() + interval '1 day'
      from sessions as session
      join organization_members as member on member.user_id = session.user_id and member.sso_connection_id is not null
    `
    const measure = (workload: typeof free) => costOf(processes, () => sendLoad(url, workload, quick ? 1 : 4))
    const costs = await inTurns(quick ? 1 : 3, { required: () => measure(required), free: () => measure(free) })
    const name = 'CPU of an authorized read where single sign-on is required'
    return [compareCpu(name, ['web', 'worker', 'postgres'], costs.required, costs.free, 1.05)]
  },
}
