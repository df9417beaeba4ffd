/** What the scripts of pages ask for. */
import { PAGE_HEADERS } from './headers.ts'

export const jsonFor = (value: object): Response =>
  new Response(JSON.stringify(value), { headers: { ...PAGE_HEADERS, 'Content-Type': 'application/json' } })
