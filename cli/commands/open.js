import { openInBrowser } from '../support/browser.js'
import { variable } from '../support/config.js'
import { wrongUsage } from '../support/failure.js'
import { printJson, printProgress, printResult } from '../support/terminal.js'

/** Kinds of pages, by what they are called on the command line. @type {Record<string, string>} */
const FOLDERS = {
  gate: 'gates',
  execution: 'executions',
  requirement: 'requirements',
  project: 'projects',
  workspace: 'workspaces',
  organization: 'organizations',
  dispatch: 'dispatches',
  hook: 'deployment-hooks',
}

/** @param {string | undefined} page */
function pathOf(page) {
  if (page === undefined) return '/app'
  const [kind = '', id = '', ...more] = page.split('/')
  const folder = Object.hasOwn(FOLDERS, kind) ? FOLDERS[kind] : undefined
  if (!folder || !/^[\w-]+$/.test(id) || more.length > 0)
    throw wrongUsage(`PAGE must be one of ${Object.keys(FOLDERS).join(', ')}, a slash, and an id.`)
  return `/app/${folder}/${id}`
}

/** @param {import('../main.js').Invocation} invocation */
export async function run({ options: { print }, args: [page], json, url }) {
  const address = url + pathOf(page)
  const inCi = variable('CI') !== ''
  const opened = !print && !json && !inCi && (await openInBrowser(address))
  if (opened) printProgress(`Opened ${address}`)
  else if (json) printJson({ url: address })
  else printResult(address)
}
