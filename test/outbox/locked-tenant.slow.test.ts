import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Fragment } from '../../sql/index.ts'
import { Receiver } from '../support/receiver.ts'
import { type Box, type Site, signalbox } from '../support/signalbox.ts'
import { within } from '../support/within.ts'

let box: Box
const receiver = new Receiver()

beforeAll(async () => {
  box = await signalbox({ own: true })
})
afterAll(async () => {
  await box.close()
  await receiver.stop()
})

const LOCKS: Record<string, (project_id: string) => Fragment> = {
  hook: (project_id) => box.sql`select from deployment_hooks where project_id = ${project_id} for update`,
  lane: (project_id) =>
    box.sql`select from lanes where id = (select id from deployment_hooks where project_id = ${project_id}) for no key update`,
}

// As while a hook is deleted with all of its dispatches.
test.each(Object.keys(LOCKS))('a tenant whose %s is locked for long does not hold up the events of others', async (what) => {
  const makeSite = async (name: string, path: string): Promise<Site> => {
    const actor = await box.user(name)
    const site = await box.site(actor)
    const hook = { name: 'Deploy', url: `${receiver.url}/${path}`, trigger_on: 'gate_approved' }
    await actor.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, hook)
    return site
  }
  const [locked, other] = [await makeSite('Ada Lovelace', `locked-${what}`), await makeSite('Grace Hopper', `other-${what}`)]
  const write = ({ organization, workspace, project }: Site) => box.sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    values (${organization.id}, ${workspace.id}, ${project.id}, 'gate.approved', '{"gate": {}}')
  `
  const before = receiver.requests.length
  const arrivals = (path: string) => receiver.requests.filter((request) => request.path === `/${path}`).length
  await box.sql.begin(async (tx) => {
    await tx`${LOCKS[what]?.(locked.project.id) ?? tx``}`
    await Promise.all([write(locked), write(other)])
    await within(10_000, 'the event of the other', receiver.waitFor(before + 1))
    expect(arrivals(`other-${what}`)).toBe(1)
    const isAside = (line: string) => line.includes('rows of an organization are locked') && line.includes(locked.organization.id)
    await box.until('it is set aside', async () => box.workers[0]?.lines.some(isAside) ?? false)
    // They do not wait for the lock again.
    await write(other)
    await box.sql`select pg_notify('signalbox_outbox', '')`
    await within(1_500, 'the second event of the other', receiver.waitFor(before + 2))
    expect(arrivals(`other-${what}`)).toBe(2)
  })
  await receiver.waitFor(before + 3)
  expect(arrivals(`locked-${what}`)).toBe(1)
  await box.settled()
})
