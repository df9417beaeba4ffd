/** Hooks for CI systems, as the guide about them shows them: a form can begin with one. */
import { readArticle } from '../docs/articles.tsx'
import type { HookInput } from './schema.ts'

interface CiTemplate {
  /** The fragment of its section in the guide, such as `gitlab`. */
  name: string
  title: string
  hook: HookInput
}

const SECTION = /^## (.+)\n[\s\S]*?```json\n([\s\S]*?)```/

/** A section of the guide has a hook as its first block of JSON. */
function templateOf(section: string): CiTemplate[] {
  const [, title, json] = SECTION.exec(section) ?? []
  if (title === undefined || json === undefined) return []
  const hook = JSON.parse(json) as HookInput
  return 'trigger_on' in hook ? [{ name: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'), title, hook }] : []
}

const read = async (): Promise<CiTemplate[]> =>
  (await readArticle('receivers/ci-systems.md')).split(/^(?=## )/m).flatMap(templateOf)

let all: Promise<CiTemplate[]> | undefined

export const ciTemplates = (): Promise<CiTemplate[]> => (all ??= read())
