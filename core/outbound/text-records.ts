/** TXT records of domains, which prove who has them. */
import { resolver } from './addresses.ts'
import { codeOf } from './errors.ts'

/** The name servers have not answered: nothing is known. */
export class Unanswered extends Error {}

/** More than any domain has at a name that is there for one purpose. */
const MAX_RECORDS = 100

/** The texts at a name; none if there is no such name. @throws Unanswered */
export async function textRecords(name: string): Promise<string[]> {
  try {
    return (await resolver.resolveTxt(name)).slice(0, MAX_RECORDS).map((parts) => parts.join(''))
  } catch (error) {
    const code = codeOf(error)
    if (/NOTFOUND|NODATA|NONAME/.test(code)) return []
    throw new Unanswered(`The name servers did not answer (${code}).`)
  }
}

/** The record that proves a domain. */
export const domainRecord = (domain: string, token: string) => ({
  name: `_signalbox.${domain}`,
  value: `signalbox-domain-verification=${token}`,
})
