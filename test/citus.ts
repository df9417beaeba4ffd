/** `bun run test:citus`: migrates and distributes a database on a Citus cluster, and runs the tests on copies of it. */
import { existsSync } from 'node:fs'
import { answerHelp } from '../bin/support/command.ts'
import { throwawayFolder } from '../bin/support/data-folder.ts'
import { distribute } from '../sql/citus/distribute.ts'
import { connect } from '../sql/index.ts'
import { migrate } from '../sql/migrate.ts'
import { CHOSEN, CHOSEN_FAULTS, LEFT_OUT, PROVEN_ELSEWHERE, SLOW, WITHOUT_DATABASE } from './citus-files.ts'
import { checkStatements } from './citus-statements.ts'
import { type Cluster, connectNodes, openCluster } from './support/cluster.ts'
import { inMemory } from './support/in-memory.ts'
import { TEST_LIMIT_MS } from './support/patience.ts'
import { bundlePrograms } from './support/programs-bundle.ts'

answerHelp(`npx --yes bun run test:citus [--all] [folder or file …]

Runs tests on a Citus cluster: the one whose coordinator is at CITUS_URL, or one that the script CITUS_CLUSTER starts
("$CITUS_CLUSTER start FOLDER PORT" prints the URL of the coordinator). Without either, nothing is run. test/citus-files.ts lists the tests.

  --all  runs all tests that can run on a cluster, not only those that prove one

Other arguments are passed to bun test.`)

const ALL = '--all'
const isAll = process.argv.includes(ALL)

/** Runs at the same time on one cluster use different ones. */
const TEMPLATE = `signalbox_template_${process.pid}`
const SHARDS = 4
/** A busy machine may take minutes to create the tables of all shards. */
const PATIENT = { statement_timeout: '0' }

await using folder = await throwawayFolder('signalbox-citus-', await inMemory(8))
await using cluster = await openCluster(`${folder.path}/cluster`)
process.exitCode = cluster ? await run(cluster) : explain()

function explain(): number {
  console.log('The tests were not run on Citus: set CITUS_URL, or CITUS_CLUSTER to a script that starts a cluster.')
  return 0
}

async function run(cluster: Cluster): Promise<number> {
  process.env.TEST_CITUS_NODES = cluster.nodes.join(' ')
  await makeTemplate(cluster)
  const given = process.argv.slice(2).filter((each) => each !== ALL)
  const givenFiles = given.filter((each) => existsSync(each))
  const options = given.filter((each) => !givenFiles.includes(each))
  const files = givenFiles.length > 0 ? givenFiles : ownFiles(cluster)
  const [faults = [], others = []] = [true, false].map((isFault) => files.filter((each) => each.includes('faults/') === isFault))
  const programs = `${folder.path}/programs`
  await bundlePrograms(programs)
  let failed = others.length > 0 ? await test(cluster, [...others, ...options], programs) : 0
  // Each by itself, because they end servers of the cluster. The last one runs the release before, whose statements are not checked.
  const isOfRelease = (file: string) => file.includes('citus-upgrade')
  for (const file of faults.filter((each) => !isOfRelease(each))) failed += await test(cluster, [file, ...options])
  failed += await reportStatements(cluster)
  for (const file of faults.filter(isOfRelease)) failed += await test(cluster, [file, ...options])
  return failed
}

/** The files to run when none are given. */
function ownFiles({ folder }: Cluster): string[] {
  const [files, faults] = isAll ? [allFiles(), faultTests()] : [chosenFiles(), CHOSEN_FAULTS]
  return folder === null ? files : [...files, ...faults]
}

/** @param programs the folder of bundled programs; fault tests start the sources, as a deployment does */
async function test(cluster: Cluster, files: string[], programs?: string): Promise<number> {
  const tests = Bun.spawn([process.execPath, 'test', '--parallel=2', '--no-isolate', `--timeout=${TEST_LIMIT_MS}`, ...files], {
    env: {
      ...process.env,
      TEST_DATABASE_URL: cluster.coordinator,
      TEST_DATABASE_KEPT: 'yes',
      TEST_DATABASE_TEMPLATE: TEMPLATE,
      TEST_PROGRAMS: programs,
      // For tests that end its servers.
      TEST_CITUS_FOLDER: cluster.folder ?? undefined,
    },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => tests.kill(name))
  return tests.exited
}

/** Prints the statements that asked several shards and may not. @returns how many there are */
async function reportStatements({ log }: Cluster): Promise<number> {
  if (log === null) {
    console.log('The statements were not checked: set CITUS_FOLDER to the folder of the cluster.')
    return 0
  }
  const unmarked = await checkStatements(log)
  if (unmarked.length > 0) console.log(`\nStatements that ask several shards, and are not marked:\n${unmarked.join('\n\n')}`)
  return unmarked.length
}

/** Prints what the files prove. */
function chosenFiles(): string[] {
  console.log(`These files prove the cluster; ${ALL} runs the others too:`)
  for (const [file, proven] of Object.entries(CHOSEN)) console.log(`  test/${file}: ${proven}`)
  console.log('These take long, and others prove the same about a cluster:')
  for (const [file, other] of Object.entries(PROVEN_ELSEWHERE)) console.log(`  test/${file}: ${other}`)
  return Object.keys(CHOSEN).map((file) => `./test/${file}`)
}

/** Prints what is left out. */
function allFiles(): string[] {
  console.log(
    `Left out:\n${Object.entries(LEFT_OUT)
      .map(([file, reason]) => `  test/${file}: ${reason}`)
      .join('\n')}`,
  )
  const found = [...new Bun.Glob('**/*.test.ts').scanSync(import.meta.dir)].sort()
  const isLeftOut = (file: string) =>
    (/\.(slow|browser)\.test\.ts$/.test(file) && !SLOW.includes(file)) ||
    file in LEFT_OUT ||
    WITHOUT_DATABASE.some((each) => file === each || file.startsWith(`${each}/`))
  return found.filter((file) => !isLeftOut(file)).map((file) => `./test/${file}`)
}

function faultTests(): string[] {
  const found = new Bun.Glob('citus-*.test.ts').scanSync(`${import.meta.dir}/../faults`)
  return [...found].sort().map((file) => `./faults/${file}`)
}

/** The distributed database that every test database is copied from. */
async function makeTemplate({ coordinator, nodes }: Cluster): Promise<void> {
  const { closeDatabase, closeNodes, createDatabase, dropDatabase } = await import('./support/databases.ts')
  const at = (server: string): string => {
    const url = new URL(server)
    url.pathname = `/${TEMPLATE}`
    return url.href
  }
  const admin = connect(coordinator, 'signalbox tests', 1, PATIENT)
  await dropDatabase(admin, TEMPLATE)
  await createDatabase(admin, TEMPLATE)
  await connectNodes(at(coordinator), nodes.map(at))
  const sql = connect(at(coordinator), 'signalbox tests', 1, PATIENT)
  await migrate(at(coordinator))
  const steps = await distribute(sql, { shards: SHARDS, log: () => {} })
  const again = [await migrate(at(coordinator)), await distribute(sql, { shards: SHARDS, log: () => {} })]
  if (String(again) !== ',0') throw new Error(`A second run changed something: ${again}`)
  await sql.end()
  await closeDatabase(admin, TEMPLATE)
  await admin.end()
  await closeNodes()
  console.log(`Distributed in ${steps} steps.`)
}
