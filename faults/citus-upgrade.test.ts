/** The upgrade of a cluster from the last release. `bun run test:citus --all` runs it on the cluster that it has started. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { migrate } from '../sql/migrate.ts'
import { Receiver } from '../test/support/receiver.ts'
import { Actor, type Box, Process, signalbox } from '../test/support/signalbox.ts'
import { emptyCluster, folder } from './citus-support.ts'
import { type Code, codeOf } from './upgrade/code.ts'
import { lastRelease } from './upgrade/last-release.ts'
import { migrateWithRollouts, readRuns, runsAfter } from './upgrade/rollouts-before.ts'

setDefaultTimeout(600_000)

describe.skipIf(folder === undefined)('A cluster of the last release', () => {
  let code: Code
  let url: string
  let old: Box
  const receiver = new Receiver()

  beforeAll(async () => {
    code = await codeOf(await lastRelease())
    url = await emptyCluster(`signalbox_upgraded_${process.pid}`)
    for (const script of [['sql/migrate.ts'], ['bin/distribute.ts', '--shards', '4']]) {
      const run = new Process(script, { DATABASE_URL: url }, undefined, code.folder)
      expect([await run.exited, run.lines.join('\n')]).toEqual([0, expect.any(String)])
    }
    old = await signalbox({ own: true, url, folder: code.folder })
  })
  afterAll(async () => {
    await old?.close()
    await receiver.stop()
    await code?.[Symbol.asyncDispose]()
  })

  test('is migrated while no process runs; those of this code go on with its data', async () => {
    const ada = await old.user('Ada')
    const site = await old.site(ada)
    const hook = { name: 'Deploy', url: receiver.url, secret: null, trigger_on: 'gate_approved' }
    await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, hook)
    await old.approval(ada, (await old.running(ada, site.project.id)).id)
    await receiver.waitFor(1)
    await old.until(
      'it is recorded',
      async () => (await old.sql`select id from dispatches where status = 'pending'`).length === 0,
    )
    await old.kill()
    const place = { organization_id: site.organization.id, workspace_id: site.workspace.id, project_id: site.project.id }
    const begun = performance.now()
    await migrateWithRollouts(old.sql, place, async (folder) => {
      expect((await migrate(url, undefined, folder)).length).toBeGreaterThan(1)
    })
    console.log(`Migrated in ${Math.round((performance.now() - begun) / 1000)} s.`)
    expect(await readRuns(old.sql, place)).toEqual(runsAfter(site.project.id))
    const box = await signalbox({ own: true, url })
    try {
      const now = new Actor(box, ada.name, ada.email, ada.id, ada.token, ada.refreshToken)
      await box.approval(now, (await box.running(now, site.project.id)).id)
      await receiver.waitFor(2)
      const log = await now.get(`/api/v1/organizations/${site.organization.id}/audit-logs`)
      expect(log.body.items.length).toBeGreaterThan(5)
      expect(await migrate(url)).toEqual([])
    } finally {
      await box.close()
    }
  })
})
