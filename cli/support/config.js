/** Where Signalbox is, and the file in which `login` keeps tokens. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, wrongUsage } from './failure.js'

/**
 * @typedef {object} Config
 * @property {string} [url] of the last login
 * @property {Record<string, string>} tokens by URL, so that no token is sent to another service
 */

const DEFAULT_URL = 'http://localhost:8080'

/**
 * A variable of the environment. Files with variables may have Windows line ends.
 *
 * @param {string} name
 */
export const variable = (name) => process.env[name]?.trim() ?? ''

/** The folder of the config file and of tokens that a CI job keeps. */
export const configFolder = () => {
  const base = process.platform === 'win32' ? process.env.APPDATA : process.env.XDG_CONFIG_HOME
  return join(base || join(homedir(), '.config'), 'signalbox')
}

export const configFile = () => join(configFolder(), 'config.json')

/**
 * The text of a file, without the byte order mark that editors on Windows write.
 *
 * @param {string} file
 * @returns {string | null} null if there is none
 */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch {
    return null
  }
}

/** @returns {Config} */
export function readConfig() {
  const text = textOf(configFile())
  if (text === null || text.trim() === '') return { tokens: {} }
  try {
    const { url, tokens } = JSON.parse(text)
    return { url, tokens: tokens ?? {} }
  } catch {
    throw new Failure(`${configFile()} is not valid JSON.`, { next: 'Delete it, and sign in again: npx signalbox login' })
  }
}

/**
 * Writes a file that only this user can read, at once.
 *
 * @param {string} file
 * @param {unknown} value
 */
export function writePrivate(file, value) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(next, 0o600)
  renameSync(next, file)
}

/**
 * Where Signalbox is.
 *
 * @param {string | undefined} given with `--url`
 */
export function serviceUrl(given) {
  const url = given?.trim() || variable('SIGNALBOX_URL') || readConfig().url || DEFAULT_URL
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw wrongUsage('--url must be an http or https URL.')
  return url.replace(/\/+$/, '')
}
