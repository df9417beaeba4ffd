/**
 * Forms that were sent without a session. What was typed goes with the person through signing in, in a hidden field of its forms, and is
 * then shown in its own form again, to be looked over: nothing is carried out, and nothing is stored, as strangers can send forms too.
 */
import { Compile } from 'typebox/compile'
import { Shape, Text, type TSchema, Type } from '../../core/values/schema.ts'
import { excerptOf } from './components/verbatim.tsx'
import { ACCOUNT_ID, isFilled, isSecret, KEPT, MADE_FROM, REDISPLAY, take } from './forms.ts'
import { isPagePath } from './urls.ts'

/** In the HTML, where two forms have it, of a page that may weigh 100 KiB with its style and script. */
const MAX_BYTES = 28_000

const KEPT_FORM = Compile(Shape({ action: Text(2_048), fields: Type.Array(Type.Tuple([Type.String(), Type.String()])) }))

/** A form as it was sent, without its secrets. */
export interface KeptForm {
  action: string
  fields: [name: string, text: string][]
}

/** What goes through signing in; null if nothing was entered, or too much. @param body the schema of the fields */
export function keep(action: string, body: TSchema, form: URLSearchParams): string | null {
  if (!isFilled(body, form, [ACCOUNT_ID, MADE_FROM, REDISPLAY, KEPT])) return null
  const fields = [...form].filter(([name]) => !isSecret(name) && name !== REDISPLAY && name !== KEPT)
  const text = JSON.stringify({ action, fields } satisfies KeptForm)
  return excerptOf(text, MAX_BYTES).isCut ? null : text
}

/** Takes the kept form out of one for signing in. @returns null if there is none that this service may have made */
export function takeKept(form: URLSearchParams): string | null {
  const text = take(form, KEPT)
  return text !== null && keptIn(text) ? text : null
}

export function keptIn(text: string): KeptForm | null {
  const kept = parsed(text)
  if (!kept) return null
  const url = URL.parse(kept.action, 'http://own')
  const isOwn = url?.origin === 'http://own' && url.pathname + url.search === kept.action && !kept.action.startsWith('//')
  return isOwn && isPagePath('POST', url.pathname) ? kept : null
}

function parsed(text: string): KeptForm | null {
  try {
    const value: unknown = JSON.parse(text)
    return KEPT_FORM.Check(value) ? value : null
  } catch {
    return null
  }
}
