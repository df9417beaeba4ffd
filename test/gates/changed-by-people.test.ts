/** What protects an environment is changed by people, not by an agent that holds the token of an admin. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { byTokenOf, Committee } from './committee.ts'

let committee: Committee

beforeAll(async () => {
  committee = await Committee.meet({ workers: 0 })
})
afterAll(() => committee.close())

test('policies of environments and members of groups are changed in a session, or with a token that decides', async () => {
  const { ada, grace, site } = committee
  const policy = `/api/v1/projects/${site.project.id}/environments/production/policy`
  const group = await ada.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Security' })
  const member = `/api/v1/groups/${group.id}/members/${grace.id}`
  expect((await ada.put(policy, { gate_required: true })).status).toBe(200)
  const agent = ada.as((await ada.make('/api/v1/auth/tokens', { name: 'Agent', scope: 'write' })).token)
  const refused = [
    await agent.put(policy, { gate_required: false }),
    await agent.delete(policy),
    await agent.put(member),
    await agent.delete(member),
  ]
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'person_required']))
  expect(refused[0]?.body.detail).toContain('Only people can change the policies of environments: sign in, or use')
  expect((await agent.get(policy)).body).toMatchObject({ gate_required: true })
  const script = await byTokenOf(ada)
  const done = [await script.put(member), await script.put(policy, { gate_required: false }), await script.delete(policy)]
  expect(done.map(({ status }) => status)).toEqual([204, 200, 204])
})

test('the owner changes who needs a second factor, and rotates signing keys, in the same ways', async () => {
  const { ada, site } = committee
  const organization = `/api/v1/organizations/${site.organization.id}`
  const agent = ada.as((await ada.make('/api/v1/auth/tokens', { name: 'Agent', scope: 'write' })).token)
  const refused = [
    await agent.put(organization, { require_second_factor: true }),
    await agent.post(`${organization}/signing-keys/rotate`),
  ]
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'person_required']))
  expect((await agent.put(organization, { description: 'Ours' })).status).toBe(200)
  const script = await byTokenOf(ada)
  expect((await script.post(`${organization}/signing-keys/rotate`)).status).toBe(200)
})
