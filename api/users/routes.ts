import { Elysia } from 'elysia'
import { sql } from '../../core/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { deleteUser, requirePassword } from './deletion.ts'
import { Deletion, User } from './schema.ts'
import { getUser } from './users.ts'

export const users = new Elysia({ name: 'users', prefix: '/api/v1' })
  .use(access)
  .get('/users/me', ({ caller }) => getUser(sql, caller.id), {
    signedIn: true,
    ...operation({ tag: 'Users', summary: 'The signed-in user', answers: { 200: User } }),
  })
  .delete(
    '/users/me',
    async ({ caller, change, body }) => {
      await requirePassword(sql, caller.id, body.current_password)
      return change(204, (tx) => deleteUser(tx, caller))
    },
    {
      signedIn: true,
      ...operation({
        tag: 'Users',
        summary: 'Delete your account',
        description:
          'It cannot be undone. You leave every organization and are signed out everywhere, and your address is free; your name stays in what you did. Organizations that you own must be transferred or deleted first.',
        body: Deletion,
        answers: { 204: null },
        errors: ['owns_organizations'],
      }),
    },
  )
