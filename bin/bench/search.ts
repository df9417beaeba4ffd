/** How long a search takes where there is much to find, also for others. */
import { percentile, type Row } from './figures.ts'
import { createProject, createTenant, type Part, settle } from './stage.ts'

/** What is searched for, with how many requirements have it. */
const QUERIES: [what: string, q: (round: number) => string][] = [
  ['a word of all', () => 'checkout'],
  ['two words, one of a quarter', () => 'sends check'],
  ['a word of a few', (round) => new Bun.CryptoHasher('md5').update(String(round)).digest('hex').slice(0, 12)],
  ['a number', (round) => `#${round * 7 + 1}`],
  ['nothing', (round) => `zz${round}`],
]

export const part: Part = {
  about: '100 searches each by someone who sees 100,000 requirements, alongside 100,000 of a stranger.',
  async run(stage) {
    const { api, sql, quick, url } = stage
    const [count, rounds] = quick ? [1_000, 10] : [10_000, 100]
    for (const tenant of [stage, await createTenant(url)])
      for (let made = 0; made < 10; made++) await createProject(tenant, 'Checkout')
    // Of the words of a title some are in all, in many and in few.
    await sql`
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
      where name = 'Checkout'
    `
    await settle(sql)
    const rows: Row[] = []
    for (const [what, q] of QUERIES) {
      const samples = await Array.fromAsync({ length: rounds }, async (_, round) => {
        const begun = performance.now()
        await api.get(`/search?q=${encodeURIComponent(q(round))}`)
        return performance.now() - begun
      })
      rows.push({ name: `search: ${what}, p95`, unit: 'ms', value: [percentile(samples, 0.95)], atMost: 100 })
    }
    return rows
  },
}
