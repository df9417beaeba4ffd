import { spawn } from 'node:child_process'

/**
 * Opens an address in the browser, where there is one.
 *
 * @param {string} url
 * @returns {Promise<boolean>} whether a browser was started
 */
export function openInBrowser(url) {
  const [program = '', ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  return new Promise((resolve) => {
    const started = spawn(program, args, { stdio: 'ignore', detached: true })
    started.once('error', () => resolve(false))
    started.once('spawn', () => {
      started.unref()
      resolve(true)
    })
  })
}
