/** The kind of a resource is part of its type. What must not compile is checked by the compiler: an error that is missing is one. */
import { expect, test } from 'bun:test'
import { getExecution } from '../../api/executions/executions.ts'
import { approveGate } from '../../api/gates/decisions.ts'
import { getGate } from '../../api/gates/gates.ts'
import { isOf, type Resource, resourceKey, resourceOf } from '../../api/plugins/resources.ts'

const scope = { organization_id: 'o', workspace_id: 'w', project_id: 'p' }
const execution: Resource<'execution'> = { kind: 'execution', id: 'e', ...scope, role: 'admin' }
const gate: Resource<'gate'> = { kind: 'gate', id: 'g', ...scope, role: 'admin' }

test('a resource of another kind does not compile', () => {
  const db = {} as Parameters<typeof getGate>[0]
  const tx = {} as Parameters<typeof approveGate>[0]
  const by = {} as Parameters<typeof approveGate>[1]
  const calls = [
    () => approveGate(tx, by, gate, {}, 'api'),
    // @ts-expect-error An execution is no gate.
    () => approveGate(tx, by, execution, {}, 'api'),
    // @ts-expect-error Nor is its key that of a gate.
    () => getGate(db, execution),
    // @ts-expect-error A key without a kind could be that of anything.
    () => getGate(db, { id: 'g', organization_id: 'o' }),
    () => getGate(db, resourceKey('gate', 'g', execution)),
    // @ts-expect-error
    () => getGate(db, resourceKey('execution', 'g', gate)),
    () => getExecution(db, resourceKey('execution', 'e', gate)),
    // @ts-expect-error An organization is in no project.
    (organization: Resource<'organization'>): string => organization.project_id,
    // @ts-expect-error Nobody owns a workspace.
    (workspace: Resource<'workspace'>): Resource<'workspace'> => ({ ...workspace, role: 'owner' }),
  ]
  expect(calls).toHaveLength(9)
})

test('a resource has the scope and role of its kind, or is not there', () => {
  const found = { id: 'g', ...scope, organization_role: 'member', workspace_role: 'admin' } as const
  expect(resourceOf('gate', found)).toEqual(gate)
  expect(isOf('gate', gate)).toBe(true)
  expect(isOf('execution', gate)).toBe(false)
  expect(isOf('gate', null)).toBe(false)
  expect(resourceOf('gate', { ...found, id: null })).toBeNull()
  expect(resourceOf('gate', { ...found, workspace_role: null })).toBeNull()
  expect(resourceOf('gate', { ...found, organization_role: null })).toBeNull()
  expect(resourceOf('gate', { ...found, organization_role: 'owner', workspace_role: null })).toEqual(gate)
  const inOrganization = { ...found, workspace_id: null, project_id: null }
  expect(resourceOf('organization', { ...inOrganization, organization_role: 'owner' })).toEqual({
    kind: 'organization',
    id: 'g',
    organization_id: 'o',
    workspace_id: null,
    project_id: null,
    role: 'owner',
  })
})
