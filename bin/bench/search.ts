/** How long a search takes where there is much to find, also for others. */
import type { Sql } from '../../sql/index.ts'
import { apiClient } from '../support/api-client.ts'
import { ms, percentile, type Row, times } from './figures.ts'
import { createProject, newEmail, type Part, settle, signIn } from './stage.ts'

/** Writes requirements of projects. Of the words of a title some are in all, in many and in few. */
const insertRequirements = (sql: Sql, created_by: string, count: number) => sql`
  insert into requirements (organization_id, workspace_id, project_id, number, title, created_by)
  select
    organization_id, workspace_id, id, number,
    concat_ws(
      ' ', 'Checkout', (array['shows', 'keeps', 'sends', 'imports'])[1 + number % 4], 'invoice',
      md5((number % 5000)::text), number
    ),
    created_by
  from projects
  cross join generate_series(1, ${count}::integer) as number
  where created_by = ${created_by} and name = 'Checkout'
`

/** Writes organizations of another user, each with a workspace and a project. */
const insertStrangers = (sql: Sql, user_id: string, count: number) => sql`
  with organization as (
    insert into organizations (name, slug, org_key, owner_id)
    select 'Checkout ' || each, 'stranger-' || each, 'S' || each, ${user_id} from generate_series(1, ${count}::integer) as each
    returning id
  ),
  owner as (
    insert into organization_members (organization_id, user_id, role) select id, ${user_id}, 'owner' from organization
  ),
  workspace as (
    insert into workspaces (organization_id, name, workspace_key, owner_id)
    select id, 'Checkout', 'W', ${user_id} from organization
    returning organization_id, id
  )
  insert into projects (organization_id, workspace_id, name, created_by)
  select organization_id, id, 'Checkout', ${user_id} from workspace
`

/** What is searched for, with how many requirements have it. */
const QUERIES: [what: string, q: (round: number) => string][] = [
  ['a word of all', () => 'checkout'],
  ['a letter', () => 'c'],
  ['two words, one of a quarter', () => 'sends check'],
  ['a word of a few', (round) => new Bun.CryptoHasher('md5').update(String(round)).digest('hex').slice(0, 12)],
  ['a number', (round) => `#${round * 7 + 1}`],
  ['nothing', (round) => `zz${round}`],
]

export const part: Part = {
  about:
    '100 searches each by someone who sees 100,000 requirements, beside 1,000 organizations of strangers with 100 each; 95th percentiles of `GET /api/v1/search`.',
  async run(stage) {
    const { api, sql, quick, url } = stage
    const [mine, strangers, rounds] = quick ? [1_000, 10, 10] : [10_000, 1_000, 100]
    for (let made = 0; made < 10; made++) await createProject(stage, 'Checkout')
    const { user_id } = await signIn(apiClient(url), 'register', newEmail())
    await insertStrangers(sql, user_id, strangers)
    await insertRequirements(sql, stage.user_id, mine)
    await insertRequirements(sql, user_id, 100)
    await settle(sql)
    const rows: Row[] = []
    for (const [what, q] of QUERIES) {
      const query = async (round: number) => `/search?q=${encodeURIComponent(q(round))}`
      const samples = await times(rounds, query, (path) => api.get(path))
      rows.push(ms(`search: ${what}`, percentile(samples, 0.95), '≤ 100 ms'))
    }
    return rows
  },
}
