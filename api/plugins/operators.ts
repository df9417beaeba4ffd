/** Operators of the service: accounts whose proven address is among `OPERATORS`. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { notFound } from '../problems.ts'
import type { Caller } from './request-context.ts'

/** @throws Problem `not_found` */
export async function requireOperator({ id, email }: Pick<Caller, 'id' | 'email'>): Promise<void> {
  if (!config.OPERATORS.includes(email)) throw notFound('page')
  const [operator] = await sql`select from users where id = ${id} and email_verified`
  if (!operator) throw notFound('page')
}
