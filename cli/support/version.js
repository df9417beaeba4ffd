import { readFileSync } from 'node:fs'
import { program } from './program.js'
import { printProgress } from './terminal.js'

/** The version of this package. @type {string} */
export const version = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** @param {string} full */
const minorOf = (full) => full.split('.').slice(0, 2).join('.')

let isCompared = false

/**
 * Says, once, that the service has another minor version: npx keeps what it once got from an address.
 *
 * @param {string} url of the service
 * @param {Record<string, string>} headers of a response
 */
export function compareVersion(url, { 'x-signalbox-version': theirs = '' }) {
  if (isCompared || !/^\d{1,5}\.\d{1,5}\.\d{1,5}$/.test(theirs)) return
  isCompared = true
  if (minorOf(theirs) === minorOf(version)) return
  printProgress(`This is version ${version}; the service has ${theirs}. Run its own: ${program(url, `cli-${theirs}.tgz`)}`)
}
