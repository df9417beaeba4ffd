/** The names of people, as documents print them. */
import type { Tx } from '../../../sql/index.ts'

/** The name of a row of `people`, without e-mail addresses: documents are published, and an address was not entered for that. */
export const personName = (tx: Tx) => tx`
  coalesce(nullif(trim(regexp_replace(people.name, '[^\\s@<(]+@[^\\s@>)]+', '', 'g'), ' <>()'), ''), 'Unnamed user')
`

/** @param name null if the account was deleted */
export const shownName = (name: string | null): string => name ?? 'A former user'
