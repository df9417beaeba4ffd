import { readFileSync } from 'node:fs'

/** The version of this package. @type {string} */
export const version = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')).version
