/** Masks what looks like a credential in texts that come from outside, regardless of its owner. */

/** Shown in place of a secret. */
export const MASK = '********'

/** Whether a long text looks random: words have no digits and no capitals within them. */
const isRandom = (text: string): boolean => /\d|[a-z][A-Z]/.test(text)

/** Whether a text is a user and a password in base64. In linear time, also for nothing but colons. */
function isBasic(text: string): boolean {
  const decoded = Buffer.from(text, 'base64').toString('latin1')
  return decoded.includes(':') && /^[\x20-\x7e]*$/.test(decoded)
}

/** What looks like a credential, no matter who issued it: its form, and what else must be so. */
const CREDENTIALS: [form: RegExp, isOne?: (text: string) => boolean][] = [
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z0-9 ]*-----)?/g],
  // Ours, also a session's; then those of GitHub, Slack and AWS.
  [/\bsbx_[a-z]{2,8}_[A-Za-z0-9_-]{8,}/g],
  [/\bwhs(?:ec|k)_[A-Za-z0-9+/_-]{8,}={0,2}/g],
  [/(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?/g],
  [/(?<![A-Za-z0-9])(?:gh[a-z]|github_pat)_[A-Za-z0-9_]{8,}/g],
  [/\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{8,}/g],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{8,}/g],
  // The password in a URL, as Git prints it when it cannot reach a repository.
  [/(?<=:\/\/[^\s/:@]{0,100}:)[^\s/:@$<{*][^\s/:@]{2,}(?=@)/g],
  [/(?<=\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|digest|token|apikey|negotiate)\s{1,4})[^\s"'`,;<>{}$*]+/gi],
  [/(?<=\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?)[\w.~+/-]{15,}[\w~+/-]={0,2}/gi, isRandom],
  [/(?<=\bbearer\s{1,4})[\w.~+/-]{15,}[\w~+/-]={0,2}/gi, isRandom],
  [/(?<=\bbasic\s{1,4})[A-Za-z0-9+/]{4,}={0,2}/gi, isBasic],
]

/** Whether a text can contain a credential: most cannot, and are read once. */
const HINT =
  /PRIVATE KEY|sbx_|whs(?:ec|k)_|eyJ|gh[a-z]_|github_pat_|xox|xapp-|AKIA|ASIA|authorization|bearer|basic|:\/\/[^\s/]*@/i

export const maskCredentials = (text: string): string =>
  HINT.test(text)
    ? CREDENTIALS.reduce(
        (masked, [form, isOne]) => masked.replaceAll(form, (found) => (isOne === undefined || isOne(found) ? MASK : found)),
        text,
      )
    : text
