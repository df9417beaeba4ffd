/** The checksums of released migrations: sql/released.sha256, in the format of sha256sum, one section per release. */
import { join } from 'node:path'
import type { Migration } from '../../sql/migrate.ts'

type Known = Pick<Migration, 'name' | 'checksum'>

interface ReleasedMigration extends Known {
  release: string
}

const FILE = join(import.meta.dir, '../../sql/released.sha256')

const HEADER = `# The migrations of each release, which never change again. \`bun run freeze\` writes this file.
# To check it: cd sql/migrations && sha256sum --check ../released.sha256
`

export async function readReleased(): Promise<ReleasedMigration[]> {
  let release = ''
  const released: ReleasedMigration[] = []
  for (const line of (await Bun.file(FILE).text()).split('\n')) {
    release = /^## (.+)$/.exec(line)?.[1] ?? release
    const [, checksum = '', name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    if (name !== '') released.push({ release, name, checksum })
  }
  return released
}

export async function writeReleased(released: ReleasedMigration[]): Promise<void> {
  const sections = [...Map.groupBy(released, ({ release }) => release)].map(
    ([release, migrations]) => `\n## ${release}\n${migrations.map(({ name, checksum }) => `${checksum}  ${name}\n`).join('')}`,
  )
  await Bun.write(FILE, HEADER + sections.join(''))
}

const numberOf = (name: string): number => Number.parseInt(name, 10)

/** What is wrong with the migrations, in sentences that say what to do. */
export function findFaults(migrations: Known[], released: ReleasedMigration[]): string[] {
  const faults: string[] = []
  for (const { release, name, checksum } of released) {
    const file = migrations.find((migration) => migration.name === name)
    const renamed = migrations.find((migration) => migration.checksum === checksum)
    if (file?.checksum === checksum) continue
    if (file) faults.push(`${name} was edited after ${release} was released with it: restore it, and add a new migration.`)
    else if (renamed)
      faults.push(`${name} of ${release} is now ${renamed.name}: databases know it by its name, so rename it back.`)
    else faults.push(`${name} of ${release} was removed: restore it, and undo what it did in a new migration.`)
  }
  for (const [index, { name }] of migrations.entries()) {
    const due = index + 1
    if (numberOf(name) === due) continue
    faults.push(`${name} should have the number ${String(due).padStart(4, '0')}: numbers have no gaps and are used once.`)
    break
  }
  const last = released.at(-1)?.name ?? ''
  const early = migrations.find(({ name }) => name < last && !released.some((migration) => migration.name === name))
  if (early) faults.push(`${early.name} comes before ${last}, which was released: give it the next number.`)
  return faults
}
