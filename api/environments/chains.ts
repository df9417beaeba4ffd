/** The chains of a project's environments: from which each promotes, and so in which order they are shown. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { isNumber, isText, type Order } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** The environment before each, by the name of the environment. */
export type Before = ReadonlyMap<string, string>

/** The environments of a project that promote from another one. */
export async function readBefore(db: Queryable, { id, organization_id }: ResourceKey<'project'>): Promise<Before> {
  const rows = await db<{ environment: string; promotes_from: string }[]>`
    select environment, promotes_from
    from environment_policies
    where project_id = ${id}
      and organization_id = ${organization_id}
      and promotes_from is not null
    order by environment
  `
  return new Map(rows.map(({ environment, promotes_from }) => [environment, promotes_from]))
}

/** The environments from the first of a chain to one, which is the last. A circle, which no policy makes, ends. */
export function chainTo(environment: string, before: Before): string[] {
  const chain = [environment]
  for (let name = before.get(environment); name !== undefined && !chain.includes(name); name = before.get(name))
    chain.unshift(name)
  return chain
}

/** The environments that follow one at once, by name. */
export const nextOf = (environment: string, before: Before): string[] =>
  [...before].flatMap(([name, from]) => (from === environment ? name : [])).sort()

/** How many environments the longest chain has that goes through one. */
export function longestChain(environment: string, before: Before): number {
  const after = [...before.keys()].map((name) => {
    const chain = chainTo(name, before)
    return chain.includes(environment) ? chain.length - chain.indexOf(environment) - 1 : 0
  })
  return chainTo(environment, before).length + Math.max(0, ...after)
}

/** Where an environment stands. One that is in no chain is a chain of its own. */
interface Place {
  /** The first environment of the chain. */
  first: string
  position: number
}

export type Places = Map<string, Place>

/** The places of environments that are in chains: the first one, then what follows it, branch by branch. */
export function placesOf(before: Before): Places {
  const places = new Map<string, Place>()
  const add = (environment: string, first: string, position: number): number => {
    places.set(environment, { first, position })
    return nextOf(environment, before).reduce((last, name) => (places.has(name) ? last : add(name, first, last + 1)), position)
  }
  for (const from of before.values()) if (!before.has(from) && !places.has(from)) add(from, from, 0)
  return places
}

const placeIn = (places: Places, environment: string): Place => places.get(environment) ?? { first: environment, position: 0 }

/** By chain, then by name. */
export const byChain = (places: Places): Order<{ environment: string }> => ({
  keyOf: ({ environment }) => {
    const { first, position } = placeIn(places, environment)
    return [first, String(position), environment]
  },
  parts: [isText, isNumber, isText],
})

/** SQL: joins the `place` of an environment. @param environment its name */
export const joinPlaces = (places: Places, environment: Fragment): Fragment => {
  const all = [...places]
  return sql`
    left join unnest(
      ${all.map(([name]) => name)}::text[], ${all.map(([, { first }]) => first)}::text[],
      ${all.map(([, { position }]) => position)}::integer[]
    ) as place (environment, first, position) on place.environment = ${environment}
  `
}

/** SQL: the columns of the sort key, of the `place` of an environment. */
export const placeColumns = (environment: Fragment): Fragment =>
  sql`coalesce(place.first, ${environment}), coalesce(place.position, 0), ${environment}`
