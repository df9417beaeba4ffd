/** Statements that ask more than one shard. */
import { readFile } from 'node:fs/promises'

/** How `sql/citus/index.ts` begins the statements that may: those that are marked (`sql/reach.ts`), or name several organizations. */
const MAY_ASK_SEVERAL = /^\/\* (across tenants|several organizations) \*\/ /

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * Statements of API and workers that asked several shards, according to the log of a coordinator with
 * `citus.multi_task_query_log_level = log` and `log_line_prefix = '%m [%p] %a '`.
 *
 * @returns those that may not
 */
export async function checkStatements(file: string): Promise<string[]> {
  const entries = (await readFile(file, 'utf8')).split(/\n(?=\d{4}-\d\d-\d\d )/)
  const found = new Set<string>()
  for (const [at, entry] of entries.entries()) {
    const [, pid, name] = /^\S+ \S+ \S+ \[(\d+)\] (.*?) *LOG: {2}multi-task query/.exec(entry) ?? []
    if (!pid || /^signalbox (test|release)/.test(name ?? '')) continue
    const statement = entries.slice(at + 1, at + 5).find((each) => each.includes(`[${pid}]`) && each.includes('STATEMENT: '))
    if (statement) found.add(onOneLine(statement.slice(statement.indexOf('STATEMENT: ') + 11)))
  }
  return [...found].filter((text) => !MAY_ASK_SEVERAL.test(text))
}
