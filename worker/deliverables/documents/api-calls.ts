/** Calls of the Signalbox API as shell commands that run as they stand, with the token in a variable. */
import { block } from '../markdown.ts'
import { address } from '../project-data.ts'

/** Text as one word of a POSIX shell, whatever it contains. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** @param entered fields of the body that the reader enters, with their shell variables; an empty one is refused */
export function call(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  { body, entered = {}, wait }: { body?: object; entered?: Record<string, string>; wait?: number } = {},
): string {
  const data = Object.entries(entered).reduce(
    (text, [field, name]) => `${text.slice(0, -2)},"${field}":"'"\${${name}:?is empty}"'"}'`,
    quoted(JSON.stringify(body ?? {})),
  )
  const lines = [
    `curl --fail-with-body -sS ${method === 'GET' ? '' : `-X ${method} `}${quoted(address(path))}`,
    '-H "Authorization: Bearer $SIGNALBOX_TOKEN"',
    ...(wait === undefined ? [] : [`-H 'Prefer: wait=${wait}'`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${data}`]),
  ]
  return block(lines.join(' \\\n  '), 'sh')
}
