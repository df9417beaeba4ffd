const HOUR = 3600
/** Status codes whose `Retry-After` is honored. */
export const RETRY_AFTER_STATUSES = new Set([429, 502, 503, 504])
// The three date formats of HTTP (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850, and asctime.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} .* GMT$|^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d .* GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/

/**
 * The delay that `Retry-After` asks for (RFC 9110, section 10.2.3): seconds or a date. Many servers send fractions of seconds. A date is
 * compared with the receiver's own clock if the response has a `Date` header.
 *
 * @param now milliseconds since 1970
 * @returns seconds: 0 if there is no valid header, at most an hour
 */
export function retryAfter(headers: Record<string, string>, now: number): number {
  const value = headers['retry-after']?.trim() ?? ''
  // A proxy may have added one of its own.
  const numbers = value.split(',').map((each) => (/^\s*(\d+\.?\d*|\.\d+)\s*$/.test(each) ? Number(each) : Number.NaN))
  const asked = Math.ceil(Math.max(...numbers))
  if (!Number.isNaN(asked)) return Math.min(asked, HOUR)
  if (!HTTP_DATE.test(value) && !ASCTIME.test(value)) return 0
  // The asctime format has no time zone and means GMT.
  const until = Date.parse(ASCTIME.test(value) ? `${value} GMT` : value)
  const receiverNow = Date.parse(headers.date ?? '')
  const seconds = (until - (Number.isNaN(receiverNow) ? now : receiverNow)) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(Math.ceil(seconds), 0), HOUR)
}
