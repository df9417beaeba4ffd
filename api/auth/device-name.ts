/** Names of devices, from the `User-Agent` header. */

/** In this order: the later ones also stand in the header of the earlier. */
const BROWSERS: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Headless)?(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]

const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

const find = (of: [name: string, pattern: RegExp][], agent: string): string | undefined =>
  of.find(([, pattern]) => pattern.test(agent))?.[0]

/** The browser and the system, such as "Firefox on Windows"; for other programs their name. */
export function deviceName(agent: string): string {
  const [browser, system] = [find(BROWSERS, agent), find(SYSTEMS, agent)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? (/^[\w.-]+(?=\/)/.exec(agent)?.[0] || agent)
}
