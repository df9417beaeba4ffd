/** Claims as people type them: a name, a colon and a value on each line. */
import { invalidField } from '../problems.ts'

type ClaimValues = Record<string, string[]>

/** Claims as they are typed. @throws Problem 422 at `/claims` */
export function claimsIn(text: string): ClaimValues {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (value === '') throw invalidField('/claims', 'malformed', 'must have a name, a colon and a value on each line')
    return [name, value]
  })
  return Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, some]) => [name, some.map(([, value]) => value)]),
  )
}

export const claimLines = (claims: ClaimValues): string =>
  Object.entries(claims)
    .flatMap(([name, values]) => values.map((value) => `${name}: ${value}`))
    .join('\n')
