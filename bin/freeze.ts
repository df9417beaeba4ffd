/** `bun run freeze`: records what a release consists of, for the tests of those that follow. */
import { join } from 'node:path'
import { version } from '../package.json'
import { readMigrations } from '../sql/migrate.ts'
import { readChangelog } from './freeze/changelog.ts'
import { findFaults, readReleased, writeReleased } from './freeze/checksums.ts'
import { answerHelp } from './support/help.ts'

answerHelp(`bun run freeze

Records the release that package.json names: the checksums of its migrations in sql/released.sha256, and its data, made by calling
every route, in faults/upgrade/<version>.sql. To be run before the release is tagged, and again after every later change of a
migration. docs/releasing.md has all steps.`)

const root = join(import.meta.dir, '..')

/** Why this release cannot be frozen; undefined if it can. */
async function findObstacle(): Promise<string | undefined> {
  const { releases, hasUnreleased } = await readChangelog()
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

const obstacle = await findObstacle()
if (obstacle) {
  console.error(obstacle)
  process.exit(1)
}
await freezeMigrations()
