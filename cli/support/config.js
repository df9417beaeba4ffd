/** Where Signalbox is, and the file in which `login` keeps tokens. */
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, wrongUsage } from './failure.js'
import { programWith } from './program.js'
import { decodeText } from './text.js'

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

/** Users of containers often have no home. */
function home() {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** The folder of the config file and of tokens that a CI job keeps; empty for a user without a home. */
export const configFolder = () => {
  const base =
    (process.platform === 'win32' && process.env.APPDATA) || process.env.XDG_CONFIG_HOME || (home() && join(home(), '.config'))
  return base && join(base, 'signalbox')
}

/** The config file; empty for a user without a home. */
export const configFile = () => configFolder() && join(configFolder(), 'config.json')

/**
 * @param {string} file
 * @returns {Uint8Array} empty if there is none
 */
function bytesOf(file) {
  try {
    return readFileSync(file)
  } catch {
    return new Uint8Array()
  }
}

/** @returns {Config} */
export function readConfig() {
  try {
    const text = decodeText(bytesOf(configFile()))
    if (text.trim() === '') return { tokens: {} }
    const { url, tokens } = JSON.parse(text)
    return { url, tokens: tokens ?? {} }
  } catch {
    throw new Failure(`${configFile()} is not valid JSON.`, { next: `Delete it, and sign in again: ${programWith('login')}` })
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

/** @param {() => void} write */
function inConfigFolder(write) {
  const next = 'Set HOME or XDG_CONFIG_HOME to a folder that you can write to, or use SIGNALBOX_TOKEN instead.'
  if (configFile() === '') throw new Failure('There is no home folder in which the token could be kept.', { next })
  try {
    write()
  } catch (error) {
    throw new Failure(`${configFile()} cannot be written: ${/** @type {Error} */ (error).message}`, { next })
  }
}

/** Makes sure that there can be a config file. */
export const requireConfigFolder = () =>
  inConfigFolder(() => {
    mkdirSync(configFolder(), { recursive: true, mode: 0o700 })
    accessSync(configFolder(), constants.W_OK)
  })

/** @param {Config} config */
export const writeConfig = (config) => inConfigFolder(() => writePrivate(configFile(), config))

/**
 * An http or https URL. Without a scheme it is http; a port alone is a port of this machine.
 *
 * @param {string} text
 * @returns {URL | null} null if it is none
 */
export function httpUrl(text) {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text)
  const full = hasScheme ? text : `http://${text.replace(/^:?(?=\d+(\/|$))/, 'localhost:')}`
  return /^https?:/i.test(full) && URL.canParse(full) ? new URL(full) : null
}

/**
 * Where Signalbox is.
 *
 * @param {string | undefined} given with `--url`
 */
export function serviceUrl(given) {
  const [source, text] = [
    ['--url', given?.trim() ?? ''],
    ['SIGNALBOX_URL', variable('SIGNALBOX_URL')],
  ].find(([, each]) => each) ?? [configFile(), readConfig().url || DEFAULT_URL]
  const url = httpUrl(text ?? '')
  // A token is not sent over http because someone left out the scheme.
  const isHere = url && (/^https?:/i.test(text ?? '') || /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(url.hostname))
  if (!isHere) throw wrongUsage(`${source} must be an http or https URL, such as https://signalbox.example.com.`)
  return (url.origin + url.pathname).replace(/\/+$/, '')
}
