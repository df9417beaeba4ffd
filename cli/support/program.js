/** How this program is run: from the service itself, because what public registries have under its name is not ours. */

/**
 * The program without arguments.
 *
 * @param {string} [url] of the service, if it is known; else the one in the environment
 * @param {string} [file]
 */
export const program = (url = '$SIGNALBOX_URL', file = 'cli.tgz') => `npx --yes "${url}/${file}"`

/**
 * A command to run.
 *
 * @param {string} args
 * @param {string} [url] of the service
 */
export const programWith = (args, url) => `${program(url)} ${args}`
