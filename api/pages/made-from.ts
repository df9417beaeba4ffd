/**
 * From which version of a record a form was made. Between opening and sending it another person may have changed the record: their
 * change must not be lost unseen.
 */

/** The hidden field of forms that change a record. */
export const MADE_FROM = 'made_from'

/** Takes the version out of a form, and asks for it as `If-Match` does. @returns null if the form names no version */
export function takeMadeFrom(url: string, form: URLSearchParams): Request | null {
  const version = form.get(MADE_FROM)
  form.delete(MADE_FROM)
  return version === null ? null : new Request(url, { headers: { 'If-Match': `"${encodeURIComponent(version)}-"` } })
}
