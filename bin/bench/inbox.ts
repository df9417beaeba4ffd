/** Inboxes: the first page of a small one against that of a huge one. */
import { Failure } from '../support/failure.ts'
import { median, milliseconds, perSecond, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { IN_FLIGHT, makePeople, type Person, rateOf, read, tell, tokenFor } from './people.ts'
import type { Stage } from './stage.ts'

const SMALL = 100

interface Scale {
  huge: number
  rounds: number
  seconds: number
}

/** Requests a second for page 1 of both inboxes, in turns; medians of the rounds. */
async function comparePages({ sql, url, environment, tenant }: Stage, { huge, rounds, seconds }: Scale) {
  const [few, many] = await makePeople(sql, 2)
  if (!few || !many) throw new Failure('The people of the inboxes were not made.')
  await tell(sql, tenant.organization.id, [few], SMALL)
  await tell(sql, tenant.organization.id, [many], huge)
  await sql`vacuum (analyze) notifications`
  const rates: Record<'small' | 'huge', number[]> = { small: [], huge: [] }
  const page = (person: Person, count: number, length: number) =>
    read(
      `${url}/api/v1/notifications`,
      tokenFor(person, environment.JWT_SECRET ?? ''),
      length,
      `"total":${count},"unread_count":${count}`,
    )
  for (let round = 0; round <= rounds; round++) {
    const length = round === 0 ? seconds / 2 : seconds
    const small = rateOf(await page(few, SMALL, length))
    const large = rateOf(await page(many, huge, length))
    // The first round warms up.
    if (round === 0) continue
    rates.small.push(small)
    rates.huge.push(large)
  }
  const begun = performance.now()
  const answer = await fetch(`${url}/api/v1/notifications/read-all`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenFor(many, environment.JWT_SECRET ?? '')}` },
  })
  const { updated } = (await answer.json()) as { updated?: number }
  if (updated !== huge) throw new Failure(`Of ${huge} notifications ${updated} were marked as read.`)
  return { small: median(rates.small), huge: median(rates.huge), read_all_ms: performance.now() - begun }
}

const scaleOf = (quick: boolean): Scale =>
  quick ? { huge: 20_000, rounds: 1, seconds: 1 } : { huge: 1_000_000, rounds: 3, seconds: 3 }

export const inbox: Part = {
  name: 'inbox',
  thorough: true,
  conditions: (quick) =>
    `inbox     GET /notifications of a user with ${scaleOf(quick).huge.toLocaleString('en')} unread notifications, against one with ${SMALL}, ${IN_FLIGHT} in flight.`,
  async run(stage, quick) {
    const scale = scaleOf(quick)
    const pages = await comparePages(stage, scale)
    const ratio = pages.huge / pages.small
    return {
      rows: [
        {
          name: `inbox of ${scale.huge.toLocaleString('en')}`,
          ours: perSecond(pages.huge),
          baseline: perSecond(pages.small),
          ratio,
        },
        { name: 'the same, all marked as read', ours: milliseconds(pages.read_all_ms) },
      ],
      figures: {
        inbox_page_per_second: { small: rounded(pages.small), huge: rounded(pages.huge), ratio: rounded(ratio) },
        inbox_read_all_ms: rounded(pages.read_all_ms),
      },
    }
  },
}
