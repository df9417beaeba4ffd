/** Keeps a hook's header values out of the record of an answer: a receiver may repeat what it was sent. */
import type { OutboundResult } from '../../core/outbound.ts'
import { MASK } from '../../core/secrets.ts'

/** What is shorter stands in many an answer by chance, and is no secret worth the name. */
const SHORTEST = 6

/** A value in the forms in which it may come back: whole or without the scheme before it, plain, as JSON writes it, and in a URL. */
function formsOf(value: string): string[] {
  const [, credentials] = /^\S+\s+(\S+)$/.exec(value) ?? []
  return [value.trim(), credentials ?? ''].flatMap((form) => [form, JSON.stringify(form).slice(1, -1), encodeURIComponent(form)])
}

/**
 * The answer with `********` wherever it repeats a header value of the hook: those are write-only, and whoever may read
 * a dispatch need not be allowed to know them.
 *
 * @param headers of the hook, as they are sent
 */
export function masked(result: OutboundResult, headers: Record<string, string>): OutboundResult {
  const forms = [...new Set(Object.values(headers).flatMap(formsOf))].filter(({ length }) => length >= SHORTEST)
  if (forms.length === 0) return result
  // The longest first: one may be part of another.
  forms.sort((a, b) => b.length - a.length)
  const mask = (text: string) => forms.reduce((left, form) => left.replaceAll(form, MASK), text)
  return {
    ...result,
    body: result.body && mask(result.body),
    headers: result.headers && Object.fromEntries(Object.entries(result.headers).map(([name, value]) => [name, mask(value)])),
  }
}
