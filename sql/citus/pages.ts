/** The versions of open pages, which the API reads of many pages at once: Citus joins no list with tables on the nodes and on the coordinator. */
import { endOf, mask } from './text.ts'

const VERSIONS = /^\s*select page\.index, coalesce\(inside\.version, overview\.version,/

interface Page {
  is_overview: boolean
  organization_id: string | null
  [column: string]: unknown
}

/** The statements that read the version of one page each; null for other statements. */
export function readEachPage(text: string, parameters: unknown[]): { text: string; parameters: unknown[] }[] | null {
  if (!VERSIONS.test(text)) return null
  const masked = mask(text)
  const inside = (opening: RegExp, after: number): [start: number, end: number] => {
    const { 0: found, index } = opening.exec(masked.slice(after)) as RegExpExecArray
    const start = after + index + found.length
    return [start, endOf(masked, start)]
  }
  const access = inside(/\bleft join lateral \(/, 0)
  const overview = inside(/\bleft join lateral \(/, access[1])
  const session = inside(/\bwhere \(/, overview[1])
  const part = (range: [number, number]) => text.slice(...range)
  return (parameters[0] as Page[]).map((page) => {
    const values: unknown[] = []
    const add = (value: unknown) => `$${values.push(value)}`
    const version = page.is_overview ? part(overview) : page.organization_id === null ? "select ''" : part(access)
    const read = `select page.index as index, (${version}) as version where (${part(session)})`.replaceAll(
      /\bpage\.(\w+)|\$(\d+)/g,
      (_, column?: string, number?: string) =>
        column === undefined
          ? add(parameters[Number(number) - 1])
          : `${add(page[column])}::${column === 'index' ? 'integer' : 'uuid'}`,
    )
    return { text: read, parameters: values }
  })
}
