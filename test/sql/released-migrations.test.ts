import { expect, test } from 'bun:test'
import { readChangelog } from '../../bin/freeze/changelog.ts'
import { findFaults, readReleased } from '../../bin/freeze/checksums.ts'
import { version } from '../../package.json'
import { readMigrations } from '../../sql/migrate.ts'

const migration = (name: string, checksum: string) => ({ name, checksum })
const RELEASED = [
  { release: '1.0.0', ...migration('0001_users.sql', 'a') },
  { release: '1.0.0', ...migration('0002_gates.sql', 'b') },
]
const USERS = migration('0001_users.sql', 'a')
const GATES = migration('0002_gates.sql', 'b')

test('the released migrations are as they were released, and new ones follow them', async () => {
  expect(findFaults(await readMigrations(), await readReleased())).toEqual([])
})

test('a version with a tag has its migrations listed', async () => {
  const { stdout } = Bun.spawnSync(['git', 'tag', '--list', `v${version}`], { cwd: import.meta.dir })
  const isTagged = stdout.toString().trim() !== ''
  expect(isTagged && !(await readReleased()).some(({ release }) => release === version)).toBe(false)
})

test('an edited migration is refused, and the sentence says what to do', () => {
  expect(findFaults([USERS, migration('0002_gates.sql', 'c')], RELEASED)).toEqual([
    '0002_gates.sql was edited after 1.0.0 was released with it: restore it, and add a new migration.',
  ])
})

test('a removed one is refused', () => {
  expect(findFaults([USERS], RELEASED)).toEqual([
    '0002_gates.sql of 1.0.0 was removed: restore it, and undo what it did in a new migration.',
  ])
})

test('a renumbered one is refused', () => {
  const moved = [USERS, migration('0002_hooks.sql', 'c'), migration('0003_gates.sql', 'b')]
  expect(findFaults(moved, RELEASED)).toEqual([
    '0002_gates.sql of 1.0.0 is now 0003_gates.sql: databases know it by its name, so rename it back.',
  ])
})

test('a gap, a number that is used twice, and a new migration before a released one are refused', () => {
  expect(findFaults([USERS, GATES, migration('0004_hooks.sql', 'c')], RELEASED)).toEqual([
    '0004_hooks.sql should have the number 0003: numbers have no gaps and are used once.',
  ])
  expect(findFaults([USERS, migration('0001_zebras.sql', 'c'), GATES], RELEASED)).toEqual([
    '0001_zebras.sql should have the number 0002: numbers have no gaps and are used once.',
    '0001_zebras.sql comes before 0002_gates.sql, which was released: give it the next number.',
  ])
  expect(findFaults([USERS, GATES, migration('0003_hooks.sql', 'c')], RELEASED)).toEqual([])
})

/** The one version for which all processes of the release before it stop, as its changes say. */
const WITH_DOWNTIME = '0.4.0'

test('what a migration removes is used by no process of the release before it', async () => {
  const { releases, hasUnreleased } = await readChangelog()
  const released = await readReleased()
  const releaseOf = (name: string) =>
    released.find((each) => each.name === name)?.release ?? (hasUnreleased ? '999.0.0' : version)
  const early = (await readMigrations()).filter(
    ({ name, oldest_version }) =>
      oldest_version !== null &&
      oldest_version !== WITH_DOWNTIME &&
      !releases.some((release) => release.version === oldest_version && Bun.semver.order(release.version, releaseOf(name)) < 0),
  )
  expect(early.map(({ name }) => name)).toEqual([])
  expect(await Bun.file(`${import.meta.dir}/../../CHANGELOG.md`).text()).toContain(
    '⚠️ Stop all processes of 0.3.0 before you migrate',
  )
})
