import { Elysia } from 'elysia'
import { sql } from '../../core/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { User } from './schema.ts'
import { getUser } from './users.ts'

export const users = new Elysia({ name: 'users', prefix: '/api/v1' })
  .use(access)
  .get('/users/me', ({ caller }) => getUser(sql, caller.id), {
    signedIn: true,
    ...operation({ tag: 'Users', summary: 'The signed-in user', answers: { 200: User } }),
  })
