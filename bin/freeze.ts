/** `bun run freeze`: records what a release consists of, for the tests of those that follow. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../package.json'
import { readMigrations } from '../sql/migrate.ts'
import { readChangelog } from './freeze/changelog.ts'
import { findFaults, readReleased, writeReleased } from './freeze/checksums.ts'
import { answerHelp } from './support/command.ts'

answerHelp(`bun run freeze

Records the release that package.json names: the checksums of its migrations in sql/released.sha256, and in faults/upgrade its data, made
by calling every route. To be run before the release is tagged, and again after every later change of a
migration. docs/releasing.md has all steps.`)

const root = join(import.meta.dir, '..')

const { releases, hasUnreleased } = await readChangelog()

/** Why this release cannot be frozen; undefined if it can. */
function findObstacle(): string | undefined {
  if (hasUnreleased || releases[0]?.version !== version)
    return `CHANGELOG.md must begin with "## ${version} - <date>", as package.json has the version ${version}.`
  const tag = Bun.spawnSync(['git', 'tag', '--list', `v${version}`], { cwd: root })
    .stdout.toString()
    .trim()
  if (tag !== '') return `${version} is released: ${tag} exists. Set the next version in package.json and CHANGELOG.md.`
}

async function freezeMigrations(): Promise<void> {
  const migrations = await readMigrations()
  const before = (await readReleased()).filter(({ release }) => release !== version)
  const faults = findFaults(migrations, before)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const added = migrations.filter(({ name }) => !before.some((migration) => migration.name === name))
  await writeReleased([...before, ...added.map(({ name, checksum }) => ({ release: version, name, checksum }))])
  console.log(`Froze ${added.length} migrations as those of ${version}.`)
}

/** Makes the data of this version. The data of the former release stays, because this one is upgraded from it. */
async function freezeData(): Promise<void> {
  const folder = join(root, 'faults/upgrade')
  const making = Bun.spawn([process.execPath, 'test', './faults/upgrade/make-dump.ts'], {
    cwd: root,
    env: { ...process.env, DUMP: join(folder, `${version}.sql`) },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await making.exited) !== 0) throw new Error('The data could not be made: the output above says why.')
  const kept = [version, releases[1]?.version].map((each) => `${each}.sql`)
  for (const name of new Bun.Glob('*.sql').scanSync(folder)) if (!kept.includes(name)) await rm(join(folder, name))
  console.log(`Made faults/upgrade/${version}.sql.`)
}

try {
  const obstacle = findObstacle()
  if (obstacle) throw new Error(obstacle)
  await freezeMigrations()
  await freezeData()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
