/** Changes that wait for a lock while their author loses access. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { byTokenOf, Committee } from '../gates/committee.ts'
import { PageClient } from '../support/page-client.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { waitingLocks } from '../support/waiting-locks.ts'

let committee: Committee
/** An admin of the organization who is about to lose access. */
let leaver: Actor

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
})
afterAll(() => committee.close())

beforeEach(async () => {
  leaver = await committee.box.user('Leaver')
  await committee.box.join(leaver, committee.site, 'admin')
})

type Locked = 'executions' | 'projects' | 'workspaces'

/** Sends a change that waits for a locked row, and meanwhile takes something away. @returns the answer to the change */
async function meanwhile<Result>(
  table: Locked,
  id: string,
  change: () => Promise<Result>,
  takeAway: () => Promise<void>,
): Promise<Result> {
  const { sql } = committee.box
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = sql.begin(async (tx) => {
    await tx`
      select from ${tx(table)} where id = ${id} and organization_id = ${committee.site.organization.id} for no key update
    `
    locked.resolve()
    await end.promise
  })
  await Promise.race([locked.promise, holder])
  const answer = change()
  try {
    await committee.box.until('the change waits', async () => (await waitingLocks(sql)) > 0)
    await takeAway()
  } finally {
    end.resolve()
    await holder
  }
  return answer
}

const members = () => `/api/v1/organizations/${committee.site.organization.id}/members`

async function removed(): Promise<void> {
  expect((await committee.ada.delete(`${members()}/${leaver.id}`)).status).toBe(204)
}

async function demoted(): Promise<void> {
  expect((await committee.ada.put(`${members()}/${leaver.id}`, { role: 'member' })).status).toBe(200)
  await committee.box.sql`
    insert into workspace_members (workspace_id, organization_id, user_id, role)
    values (${committee.site.workspace.id}, ${committee.site.organization.id}, ${leaver.id}, 'member')
  `
}

async function signedOut(): Promise<void> {
  expect((await leaver.post('/api/v1/auth/logout')).status).toBe(204)
}

const outcomeOf = ({ status, body }: Answer) => [status, body?.code]

/** Expects that a gate is not decided. */
async function expectUndecided(id: string): Promise<void> {
  expect((await committee.ada.get(`/api/v1/gates/${id}`)).body).toMatchObject({ status: 'pending', approvals: [] })
}

describe('A decision that waits while its author', () => {
  for (const [decision, input] of [
    ['approve', {}],
    ['approve', { required_approvals: 2 }],
    ['reject', {}],
  ] as const) {
    test(`is removed does not count: ${decision} ${JSON.stringify(input)}`, async () => {
      const { id, execution_id } = await committee.opened(input)
      const answer = await meanwhile('executions', execution_id, () => leaver.post(`/api/v1/gates/${id}/${decision}`), removed)
      expect(outcomeOf(answer)).toEqual([404, 'not_found'])
      await expectUndecided(id)
    })
  }

  test('gets a role that is too low does not count', async () => {
    const { id, execution_id } = await committee.opened()
    const answer = await meanwhile('executions', execution_id, () => leaver.post(`/api/v1/gates/${id}/approve`), demoted)
    expect(outcomeOf(answer)).toEqual([403, 'forbidden'])
    await expectUndecided(id)
  })

  test('signs out does not count', async () => {
    const { id, execution_id } = await committee.opened()
    const answer = await meanwhile('executions', execution_id, () => leaver.post(`/api/v1/gates/${id}/approve`), signedOut)
    expect(outcomeOf(answer)).toEqual([401, 'unauthenticated'])
    await expectUndecided(id)
  })

  test('revokes the token that it was sent with does not count', async () => {
    const { id, execution_id } = await committee.opened()
    const machine = await byTokenOf(leaver)
    const answer = await meanwhile(
      'executions',
      execution_id,
      () => machine.post(`/api/v1/gates/${id}/approve`),
      async () => {
        const [token] = (await leaver.get('/api/v1/auth/tokens')).body
        expect((await leaver.delete(`/api/v1/auth/tokens/${token.id}`)).status).toBe(204)
      },
    )
    expect(outcomeOf(answer)).toEqual([401, 'unauthenticated'])
    await expectUndecided(id)
  })

  test('is removed stores no response for its Idempotency-Key', async () => {
    const { id, execution_id } = await committee.opened()
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const approve = () => leaver.post(`/api/v1/gates/${id}/approve`, {}, key)
    expect((await meanwhile('executions', execution_id, approve, removed)).status).toBe(404)
    await expectUndecided(id)
    await committee.box.join(leaver, committee.site, 'admin')
    expect((await approve()).body).toMatchObject({ status: 'approved', decided_by: leaver.id })
  })

  test('is removed does not count on its page', async () => {
    const { id, execution_id } = await committee.opened()
    const browser = await PageClient.signedIn(committee.box, leaver)
    const page = await browser.open(`/app/gates/${id}`)
    const { status, text } = await meanwhile('executions', execution_id, () => browser.press(page, 'Approve'), removed)
    expect([status, text]).toEqual([404, expect.stringContaining('Page not found')])
    await expectUndecided(id)
  })

  test('signs out elsewhere leads from its page to signing in', async () => {
    const { id, execution_id } = await committee.opened()
    const browser = await PageClient.signedIn(committee.box, leaver)
    const page = await browser.open(`/app/gates/${id}`)
    const shown = await meanwhile(
      'executions',
      execution_id,
      () => browser.press(page, 'Approve'),
      async () => {
        for (const { id, current } of (await leaver.get('/api/v1/auth/sessions')).body) {
          if (!current) await leaver.delete(`/api/v1/auth/sessions/${id}`)
        }
      },
    )
    expect(shown.path).toStartWith('/sign-in?next=')
    await expectUndecided(id)
  })
})

describe('A change of another kind that waits while its author is removed', () => {
  test('updates nothing', async () => {
    const { id, name } = committee.site.project
    const answer = await meanwhile('projects', id, () => leaver.put(`/api/v1/projects/${id}`, { name: 'Taken over' }), removed)
    expect(outcomeOf(answer)).toEqual([404, 'not_found'])
    expect((await committee.ada.get(`/api/v1/projects/${id}`)).body.name).toBe(name)
  })

  test('creates nothing', async () => {
    const { id } = committee.site.project
    const path = `/api/v1/projects/${id}/requirements`
    const before = (await committee.ada.get(path)).body
    const answer = await meanwhile('projects', id, () => leaver.post(path, { title: 'Back door' }), removed)
    expect(outcomeOf(answer)).toEqual([404, 'not_found'])
    expect((await committee.ada.get(path)).body).toEqual(before)
  })

  test('takes no role away from another member of a workspace', async () => {
    const { id } = committee.site.workspace
    const path = `/api/v1/workspaces/${id}/members/${committee.member.id}`
    const answer = await meanwhile('workspaces', id, () => leaver.delete(path), demoted)
    expect(outcomeOf(answer)).toEqual([403, 'forbidden'])
    expect((await committee.ada.get(`/api/v1/workspaces/${id}/members`)).body).toContainEqual(
      expect.objectContaining({ user_id: committee.member.id }),
    )
  })
})

test('sessions that are ended twice at once are ended once', async () => {
  const answers = await Promise.all([leaver.post('/api/v1/auth/logout'), leaver.post('/api/v1/auth/logout')])
  expect(answers.map(({ status }) => status).sort()).toBeOneOf([
    [204, 204],
    [204, 401],
  ])
  const entries = await committee.box.sql`
    select from security_log_entries where user_id = ${leaver.id} and action = 'session.ended'
  `
  expect(entries).toHaveLength(1)
})
