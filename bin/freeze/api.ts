/** The API of each release, faults/upgrade/<version>.openapi.json.gz, and what changed in it since. */
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Node, node } from '../../core/openapi/document.ts'
import { changesBetween } from '../../worker/deliverables/openapi/changes.ts'

const pathOf = (version: string): string => join(import.meta.dir, `../../faults/upgrade/${version}.openapi.json.gz`)

/** What is not compared. */
const TEXTS = ['description', 'summary', 'example', 'examples', 'x-codeSamples']

/** A description without its texts. A property may have the name of one. */
function withoutTexts(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => areNames || !TEXTS.includes(key))
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutTexts(each, key === 'properties' && !areNames)]))
}

/** Records the API of a release. */
export const writeApi = async (version: string, document: unknown): Promise<void> => {
  await Bun.write(pathOf(version), gzipSync(JSON.stringify(withoutTexts(document))))
}

const readApi = async (version: string): Promise<Node> =>
  JSON.parse(gunzipSync(await Bun.file(pathOf(version)).bytes()).toString())

/** Changes as a list. What changed in the same way in several places is one item. */
function itemsOf(changes: string[]): string {
  const alike = Map.groupBy(changes, (change) => /: (.*)$/.exec(change)?.[1] ?? change)
  const items = [...alike].map(([what, each]) =>
    each.length === 1 ? each[0] : `${what}: ${each.map((change) => change.slice(0, -what.length - 2)).join(', ')}`,
  )
  return items.map((item) => `- ${item}\n`).join('')
}

/**
 * What changed in the API since a release, as Markdown.
 *
 * @param document the OpenAPI document of this version
 */
export async function apiChangesSince(version: string, document: unknown): Promise<string> {
  const changes = changesBetween(await readApi(version), node(document))
  const section = (title: string, isBreaking: boolean): string => {
    const items = itemsOf(changes.filter(({ breaking }) => breaking === isBreaking).map(({ what }) => what))
    return `\n## ${title}\n\n${items || 'None.\n'}`
  }
  return `# API changes since ${version}

Every difference between the OpenAPI document of ${version} and that of this version, as \`bun run generate\` finds them; \`CHANGELOG.md\` says what they
are for. A change is breaking if a client or receiver that worked before may fail now: a new value in a response is one, because a client may not
know it. A new field is none: [clients](clients.md) ignore fields that they do not know.
${section('Breaking changes', true)}${section('Other changes', false)}`
}
