import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const { scripts }: { scripts: Record<string, string> } = await Bun.file(join(root, 'package.json')).json()

/** The scripts that people run, without those that run before another one. */
const commands = Object.entries(scripts).filter(([name]) => !(name.startsWith('pre') && name.slice(3) in scripts))

test('every program in bin/ is a script of package.json', () => {
  const programs = [...new Bun.Glob('*.ts').scanSync(join(root, 'bin'))].map((file) => `bun bin/${file}`)
  expect(programs.filter((program) => !Object.values(scripts).includes(program))).toEqual([])
})

/** The command line has no dependencies, and runs where no packages can be installed. */
const withPackages = commands.filter(([, script]) => !script.startsWith('bun cli/'))

test.each(withPackages)('%s installs the packages before it runs, so that a machine needs only Node', (name) => {
  expect(scripts[`pre${name}`]).toEndWith('bun install --frozen-lockfile --silent')
})

test.each(commands)('%s --help prints its usage and does nothing else', async (name, script) => {
  const [, ...command] = script.split(' ')
  // Without settings, which a new user may not have yet.
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
  const child = Bun.spawn([process.execPath, ...command, '--help'], { cwd: root, env, stdout: 'pipe', stderr: 'pipe' })
  const [said, complaint, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([code, complaint]).toEqual([0, ''])
  expect(said).toMatch(new RegExp(`bun (run )?${name}\\b`))
  expect(said.trim().split('\n').length).toBeGreaterThan(2)
})
