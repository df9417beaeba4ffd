import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, latestFirst, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  addGroupMember,
  createGroup,
  deleteGroup,
  getGroup,
  listGroupMembers,
  listGroups,
  removeGroupMember,
  updateGroup,
} from './groups.ts'
import { Group, GroupInput, GroupMember, GroupUpdate } from './schema.ts'

const BY_ADDITION = latestFirst(({ added_at, user_id }: GroupMember) => [added_at, user_id])

export const groups = new Elysia({ name: 'groups', prefix: '/api/v1', tags: ['Groups'] })
  .use(access)
  .get(
    '/organizations/:org_id/groups',
    ({ request, organization, query }) =>
      listed(request, query, NEWEST_FIRST, (slice) => listGroups(sql, organization.id, slice)),
    operation('organization', 'member', {
      id: 'listGroups',
      summary: 'List the groups of an organization',
      query: Shape(LIST),
      responses: { 200: Type.Array(Group) },
    }),
  )
  .post(
    '/organizations/:org_id/groups',
    ({ caller, organization, change, body }) =>
      change(201, (tx) => createGroup(tx, caller, organization, body), '/api/v1/groups'),
    operation('organization', 'admin', {
      id: 'createGroup',
      summary: 'Create a group',
      description:
        'A group is a set of people whose approval the policy of an environment can require. An organization has at most 50.',
      body: GroupInput,
      responses: { 201: Group },
      errors: ['name_taken', 'group_limit_reached'],
    }),
  )
  .get(
    '/groups/:group_id',
    ({ group }) => getGroup(sql, group),
    operation('group', 'member', { id: 'getGroup', summary: 'Get a group', responses: { 200: Group } }),
  )
  .put(
    '/groups/:group_id',
    ({ request, caller, group, change, body }) => change(200, (tx) => updateGroup(tx, caller, group, body, request)),
    operation('group', 'admin', {
      id: 'updateGroup',
      summary: 'Update a group',
      body: GroupUpdate,
      responses: { 200: Group },
      errors: ['name_taken'],
    }),
  )
  .delete(
    '/groups/:group_id',
    ({ request, caller, group, change }) => change(204, (tx) => deleteGroup(tx, caller, group, request)),
    operation('group', 'admin', {
      id: 'deleteGroup',
      summary: 'Delete a group',
      description: 'A group that the policy of an environment or a pending gate names cannot be deleted.',
      responses: { 204: null },
      errors: ['group_in_use'],
    }),
  )
  .get(
    '/groups/:group_id/members',
    ({ request, group, query }) => listed(request, query, BY_ADDITION, (slice) => listGroupMembers(sql, group, slice)),
    operation('group', 'member', {
      id: 'listGroupMembers',
      summary: 'List the members of a group',
      description: 'Latest first. A person who leaves the organization leaves its groups.',
      query: Shape(LIST),
      responses: { 200: Type.Array(GroupMember) },
    }),
  )
  .put(
    '/groups/:group_id/members/:user_id',
    ({ request, caller, group, params, change }) =>
      change(204, (tx) => addGroupMember(tx, caller, group, params.user_id.toLowerCase(), request)),
    operation('group', 'admin', {
      id: 'addGroupMember',
      summary: 'Add a member to a group',
      description:
        'A group has at most 200 members, all of them members of its organization. People who are already in it stay in it.',
      responses: { 204: null },
      errors: ['person_required', 'not_a_member', 'group_member_limit_reached', 'managed_by_sso'],
    }),
  )
  .delete(
    '/groups/:group_id/members/:user_id',
    ({ request, caller, group, params, change }) =>
      change(204, (tx) => removeGroupMember(tx, caller, group, params.user_id.toLowerCase(), request)),
    operation('group', 'admin', {
      id: 'removeGroupMember',
      summary: 'Remove a member from a group',
      responses: { 204: null },
      errors: ['person_required', 'managed_by_sso'],
    }),
  )
