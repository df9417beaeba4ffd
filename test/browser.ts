/** `bun run test:browser`: the tests in files named *.browser.test.ts, in Chromium. */
import { existsSync } from 'node:fs'
import { answerHelp } from '../bin/support/command.ts'
import { find } from './support/programs.ts'
import { runTests } from './support/runner.ts'

answerHelp(`npx --yes bun run test:browser [folder or file …]

Runs the tests of pages in Chromium: the web app and the docs, by keyboard, narrow and wide, light and dark, with and without
scripts, and with axe-core. Installs Chromium with apt-get if it is missing and this user may. Other arguments are passed to bun
test.`)

/** @returns whether Chromium is there now */
async function installChromium(): Promise<boolean> {
  console.log('Chromium is missing. Installing it with apt-get …')
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) return false
  const commands = 'apt-get update && apt-get install --yes --no-install-recommends chromium'
  const child = Bun.spawn(['/bin/sh', '-c', commands], { stdout: 'ignore', stderr: 'inherit' })
  return (await child.exited) === 0
}

if (!find('chromium', 'pages in a browser') && !(await installChromium())) {
  console.log('Chromium could not be installed: install it, or set CHROMIUM_PATH. The tests are skipped.')
}

const given = process.argv.slice(2)
const files = [...new Bun.Glob('test/**/*.browser.test.ts').scanSync('.')].map((file) => `./${file}`).toSorted()
process.exitCode = await runTests({
  arguments: [...(given.some((each) => existsSync(each)) ? [] : files), ...given],
  isParallel: true,
})
