/** Challenges of passkeys: random, for one purpose and subject, answered once within five minutes. */
import { createHash, randomBytes } from 'node:crypto'
import type { Queryable } from '../../sql/index.ts'

type Purpose = 'registration' | 'sign_in' | 'second_factor' | 'recent_sign_in' | 'gate'

export interface Subject {
  purpose: Purpose
  /** Everything that has to be the same when it is answered, such as the user, the session and the gate. */
  about: string[]
}

/** How many challenges a holder has open for a purpose; a newer one replaces the oldest. Many people can share a network. */
const MOST_OPEN: Record<Purpose, number> = { registration: 10, sign_in: 1000, second_factor: 10, recent_sign_in: 10, gate: 10 }

const digestOf = ({ about }: Subject): Buffer => createHash('sha256').update(JSON.stringify(about)).digest()

/** Makes a challenge. @param holder who asks for it: the id of a user, or a network @returns the challenge in base64url */
export async function makeChallenge(db: Queryable, holder: string, subject: Subject): Promise<string> {
  const { purpose } = subject
  const challenge = randomBytes(32)
  await db`
    -- Each new one deletes up to two that have expired, so that the table cannot grow by more than a flood of five minutes.
    with expired as (
      delete from passkey_challenges
      where challenge in (
        select challenge
        from passkey_challenges
        where expires_at < now()
        order by expires_at
        limit 2
        for update skip locked
      )
    ),
    replaced as (
      delete from passkey_challenges
      where challenge in (
        select challenge
        from passkey_challenges
        where holder = ${holder}
          and purpose = ${purpose}
        order by expires_at desc
        offset ${MOST_OPEN[purpose] - 1}
        for update skip locked
      )
    )
    insert into passkey_challenges (challenge, purpose, holder, subject)
    values (${challenge}, ${purpose}, ${holder}, ${digestOf(subject)})
  `
  return challenge.toString('base64url')
}

/** Uses a challenge up. On a pool, so that it stays used whatever the outcome of the request. @returns whether it fits */
export async function useChallenge(db: Queryable, challenge: string, subject: Subject): Promise<boolean> {
  const [used] = await db<{ fits: boolean }[]>`
    delete from passkey_challenges
    where challenge = ${Buffer.from(challenge, 'base64url')}
    returning purpose = ${subject.purpose} and subject = ${digestOf(subject)} and expires_at > now() as fits
  `
  return used?.fits === true
}
