/** Data of theirs inside a question of ours. */
import { createHash } from 'node:crypto'

/**
 * Puts data between two marker lines that no text in it can imitate: JSON puts none of its texts at the beginning of a
 * line, and nobody can write down the hash of what they write.
 *
 * @param id of what is asked about
 */
export function fenced(id: string, data: unknown): string {
  const text = JSON.stringify(data, null, 1)
  const marker = `=== ${createHash('sha256').update(`${id} ${text}`).digest('hex').slice(0, 24)} ===`
  return `${marker}\n${text}\n${marker}`
}
