/**
 * From which version of a record a form was made. Between opening and sending it another person may have changed the record: their
 * change must not be lost unseen.
 */

/** The hidden field of forms that change a record. */
export const MADE_FROM = 'made_from'

/** Takes the version out of a form; null if the form names none. */
export function takeMadeFrom(form: URLSearchParams): string | null {
  const version = form.get(MADE_FROM)
  form.delete(MADE_FROM)
  return version
}

/** Asks for a version as `If-Match` does; null for none. */
export const asIfMatch = (url: string, version: string | null): Request | null =>
  version === null ? null : new Request(url, { headers: { 'If-Match': `"${encodeURIComponent(version)}-"` } })
