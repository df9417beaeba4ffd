/** A Citus cluster that is backed up, and restored as a new cluster. `bun run test:citus --all` runs it on the cluster that it has started. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { freePort } from '../bin/support/ports.ts'
import { connect, type Sql } from '../sql/index.ts'
import type { Actor, Answer } from '../test/support/actor.ts'
import { type Box, signalbox } from '../test/support/signalbox.ts'
import { asPostgres, folder, programs, Server, type ServerName } from './citus-support.ts'

setDefaultTimeout(600_000)

const SERVERS: ServerName[] = ['coordinator', 'worker1', 'worker2']
const RESTORE_POINT = 'before-release'

const superuser = (port: number): Sql => connect(`postgresql://postgres@127.0.0.1:${port}/postgres`, 'signalbox operator', 1)

/** Sets what archives the log of a server, which it reads when it starts. */
async function archive(server: Server, name: ServerName): Promise<void> {
  await asPostgres(`mkdir -p ${folder}/archive/${name}`)
  const sql = superuser(server.port)
  await sql`alter system set archive_mode = 'on'`
  await sql.unsafe(`alter system set archive_command = 'cp %p ${folder}/archive/${name}/%f'`)
  await sql.end()
  await server.stop('fast')
  await server.start()
}

/** Starts the backup of a server, as far as the restore point. */
async function restore(name: ServerName): Promise<Server> {
  const data = `${folder}/restored-${name}`
  const server = await Server.in(data, await freePort('127.0.0.1'))
  const settings = [
    `port = ${server.port}`,
    `restore_command = 'cp ${folder}/archive/${name}/%f %p'`,
    `recovery_target_name = '${RESTORE_POINT}'`,
    `recovery_target_action = 'promote'`,
    `archive_mode = off`,
  ]
  for (const setting of settings) await asPostgres(`echo "${setting}" >> ${data}/postgresql.auto.conf`)
  await asPostgres(`touch ${data}/recovery.signal`)
  await server.start()
  return server
}

describe.skipIf(folder === undefined)('A backup of a cluster', () => {
  let box: Box
  let ada: Actor
  let organization: Answer['body']
  const servers = new Map<ServerName, Server>()
  const restored = new Map<ServerName, Server>()

  beforeAll(async () => {
    for (const name of SERVERS) {
      const server = await Server.of(name)
      servers.set(name, server)
      await archive(server, name)
    }
    box = await signalbox({ own: true })
    ada = await box.user('Ada')
    organization = await ada.make('/api/v1/organizations', { name: 'Kept' })
  })
  afterAll(async () => {
    await box.close()
    for (const server of restored.values()) await server.stop('immediate')
    for (const server of servers.values()) {
      const sql = superuser(server.port)
      await sql`alter system reset archive_mode`
      await sql`alter system reset archive_command`
      await sql.end()
    }
  })

  test('is restored as another cluster, at the restore point: what was written before is there, and nothing else', async () => {
    const begun = performance.now()
    const command = `${await programs()}/pg_basebackup -h 127.0.0.1 -U postgres -c fast -X none`
    for (const [name, { port }] of servers) await asPostgres(`${command} -p ${port} -D ${folder}/restored-${name}`)
    const workspaces = `/api/v1/organizations/${organization.id}/workspaces`
    const before = await ada.make(workspaces, { name: 'Before' })
    await box.settled()
    await box.sql`select citus_create_restore_point(${RESTORE_POINT})`
    const after = await ada.make(workspaces, { name: 'After' })
    for (const { port } of servers.values()) {
      const sql = superuser(port)
      await sql`select pg_switch_wal()`
      await box.until('the log is archived', async () => {
        const [{ done }] = await sql<[{ done: boolean }]>`
          select coalesce(last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 1), false) as done from pg_stat_archiver
        `
        return done
      })
      await sql.end()
    }
    for (const name of SERVERS) restored.set(name, await restore(name))
    const portOf = (name: ServerName): number => restored.get(name)?.port ?? 0
    const url = new URL(box.url)
    url.port = String(portOf('coordinator'))
    const operator = connect(url.href, 'signalbox operator', 1, { statement_timeout: '0' })
    await box.until('the coordinator accepts writes', async () => {
      const [{ reads }] = await operator<[{ reads: boolean }]>`select pg_is_in_recovery() as reads`
      return !reads
    })
    for (const [name, { port }] of servers)
      await operator`
        select citus_update_node(nodeid, '127.0.0.1', ${portOf(name)}) from pg_dist_node where nodeport = ${port}
      `
    await box.until('all nodes see each other', async () => {
      const [{ healthy }] = await operator<[{ healthy: boolean }]>`
        select bool_and(coalesce(result, false)) as healthy from citus_check_cluster_node_health()
      `
      return healthy
    })
    await operator.end()
    const other = await signalbox({ own: true, url: url.href })
    try {
      console.log(`Backed up and restored in ${Math.round((performance.now() - begun) / 1000)} s.`)
      const found = async (path: string) =>
        (await other.request('GET', path, undefined, { Authorization: `Bearer ${ada.token}` })).status
      expect(await found(`/api/v1/workspaces/${before.id}`)).toBe(200)
      expect(await found(`/api/v1/workspaces/${after.id}`)).toBe(404)
      const made = await other.request('POST', workspaces, { name: 'New' }, { Authorization: `Bearer ${ada.token}` })
      expect(made.status).toBe(201)
    } finally {
      await other.close()
    }
    expect((await ada.get(`/api/v1/workspaces/${after.id}`)).status).toBe(200)
  })
})
