/** What a person states with an operation, its reason or comment, stands in the audit entry. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { approve, Committee } from '../gates/committee.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

let committee: Committee
let hook: Body

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
  const { ada, site } = committee
  const input = { name: 'Deploy', url: 'http://127.0.0.1:9', environment: 'production', trigger_on: 'gate_approved' }
  hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, input)
  await ada.put(`/api/v1/projects/${site.project.id}/environments/production/policy`, { gate_required: true })
})
afterAll(() => committee.close())

const STATED = 'The login fails\nfor “everybody”.'

/** By operation: performs it with a statement. */
const OPERATIONS: Record<string, () => Promise<Answer>> = {
  approveGate: async () => approve(committee.grace, await committee.opened(), { comment: STATED }),
  'approveGate, of several': async () =>
    approve(committee.grace, await committee.opened({ required_approvals: 2 }), { comment: STATED }),
  rejectGate: async () => decide('reject', { comment: STATED }),
  requestGateChanges: async () => decide('request-changes', { comment: STATED }),
  overrideGate: async () => decide('override', { reason: STATED }),
  reviewGate: async () => {
    const { body } = await decide('override', { reason: 'It burns.' })
    return committee.mary.post(`/api/v1/gates/${body.id}/review`, { comment: STATED })
  },
  revokeGate: async () => {
    const gate = await committee.opened()
    await approve(committee.grace, gate)
    return committee.mary.post(`/api/v1/gates/${gate.id}/revoke`, { reason: STATED })
  },
  triggerDeploymentHook: () =>
    committee.ada.post(`/api/v1/deployment-hooks/${hook.id}/trigger`, { override: { reason: STATED } }),
  rollbackDeployment: () =>
    committee.ada.post(`/api/v1/projects/${committee.site.project.id}/deployment-rollback`, {
      target_version: 'v1',
      reason: STATED,
    }),
}

const decide = async (how: string, body: object): Promise<Answer> =>
  committee.grace.post(`/api/v1/gates/${(await committee.opened()).id}/${how}`, body)

/** Whether a schema has a field that a person states something in. */
const asks = (schema: Body): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  (['reason', 'comment'].some((name) => schema.properties?.[name] !== undefined) ||
    Object.values({ ...schema.properties, ...schema.anyOf }).some(asks))

/** The last entry about anything but an execution. */
async function lastDetail(): Promise<string> {
  const [entry] = await committee.box.sql<[{ detail: string }]>`
    select detail
    from audit_log_entries
    where organization_id = ${committee.site.organization.id}
      and action not like 'execution.%'
    order by id desc
    limit 1
  `
  return entry.detail
}

test('every operation that takes a reason or a comment is tried here', async () => {
  const { paths } = (await (await fetch(`${committee.box.base}/docs/json`)).json()) as Body
  const methods = Object.values<Body>(paths).flatMap((path) => Object.values<Body>(path))
  const asking = methods.filter((operation) => asks(operation.requestBody?.content?.['application/json']?.schema))
  const tried = new Set(Object.keys(OPERATIONS).map((name) => name.split(',')[0]))
  expect(asking.map(({ operationId }) => operationId).sort()).toEqual([...tried].sort() as string[])
})

test.each(Object.keys(OPERATIONS))('%s', async (name) => {
  const answer = await (OPERATIONS[name] as () => Promise<Answer>)()
  expect(answer.status).toBeLessThan(300)
  expect(await lastDetail()).toEndWith(': The login fails for “everybody”.')
})

test('a statement is not cut', async () => {
  const comment = 'é'.repeat(10_000)
  expect((await decide('reject', { comment })).status).toBe(200)
  expect(await lastDetail()).toEndWith(`: ${comment}`)
})
