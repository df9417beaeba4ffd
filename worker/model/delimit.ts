/** Embeds untrusted data in a prompt. */
import { createHash } from 'node:crypto'

/**
 * Puts data between two marker lines that the data cannot contain: in JSON no string starts a line, and a text cannot contain its
 * own hash.
 *
 * @param id the id of the subject of the prompt, as additional input of the hash
 */
export function delimited(id: string, data: unknown): string {
  const text = JSON.stringify(data, null, 1)
  const marker = `=== ${createHash('sha256').update(`${id} ${text}`).digest('hex').slice(0, 24)} ===`
  return `${marker}\n${text}\n${marker}`
}
