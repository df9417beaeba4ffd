/**
 * PostgreSQL refuses to run as root. If Signalbox is started by root (in a container, on a bare server), its PostgreSQL
 * runs as another user.
 */
import { chown, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from './failure.ts'

interface User {
  name: string
  uid: number
  gid: number
}

/** Changes a command line so that it runs as the owner of the data. */
export type RunAs = (...command: string[]) => string[]

/** Chooses the user, makes it the owner of `dataDir`, and checks that it can run the server's programs there. */
export async function runAsOwnerOf(dataDir: string, programs: { initdb: string; postgres: string }): Promise<RunAs> {
  if (process.getuid?.() !== 0) return (...command) => command
  const user = (await ownerOf(dataDir)) ?? (await systemUser())
  await own(dataDir, user)

  const attempts = [[], ['dac_read_search'], ['dac_override']].map((capabilities) => switchTo(user, capabilities))
  const errors: string[] = []
  for (const runAs of attempts) {
    const error = await tryToRun(runAs, dataDir, programs)
    if (error === undefined) return runAs
    errors.push(error)
  }
  throw new Failure(
    `PostgreSQL cannot run as root, and it could not be run as the user ${user.name}:\n  ${errors.join('\n  ')}\n` +
      'Start Signalbox as an ordinary user, make its folder accessible to all users (chmod a+x on each folder above it), ' +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  )
}

/** Makes the owner of `dataDir` the owner of a new file, if this process runs as root. */
export async function giveToOwnerOf(dataDir: string, file: string): Promise<void> {
  const { uid, gid } = await stat(dataDir)
  if (process.getuid?.() === 0) await chown(file, uid, gid)
}

// Other users cannot enter a folder such as /root. One capability lets them: dac_read_search, or dac_override where the
// bounding set of a container lacks it. Without no_setuid_fixup the kernel ignores the capability in access(2), which
// PostgreSQL uses to find its files.
function switchTo(user: User, capabilities: string[]): RunAs {
  const passing = capabilities.flatMap((capability) => [
    '--securebits=+no_setuid_fixup',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
  ])
  return (...command) => ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...passing, '--', ...command]
}

/** Tries what the server will do: enter and write its folder, read its installed files, run. @returns the error, if any */
async function tryToRun(
  runAs: RunAs,
  dataDir: string,
  { initdb, postgres }: { initdb: string; postgres: string },
): Promise<string | undefined> {
  const template = join(dirname(dirname(postgres)), 'share', 'postgresql', 'postgres.bki')
  // Packages of a distribution have the file elsewhere.
  const trial = 'cd "$1" && test -w . && { test ! -e "$2" || cat "$2" > /dev/null; } && "$3" --version && "$4" --version'
  const command = runAs('sh', '-c', trial, 'sh', dataDir, template, initdb, postgres)
  if (!Bun.which('setpriv')) return 'setpriv is missing (it belongs to the package util-linux)'
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: 'ignore', stderr: 'pipe', cwd: '/' })
  return exitCode === 0 ? undefined : stderr.toString().trim() || `${dataDir} is not writable`
}

async function own(dataDir: string, user: User): Promise<void> {
  const { exitCode, stderr } = Bun.spawnSync(['chown', '-R', `${user.uid}:${user.gid}`, dataDir], { stderr: 'pipe' })
  if (exitCode !== 0)
    throw new Failure(`The owner of ${dataDir} could not be changed to ${user.name}: ${stderr.toString().trim()}`)
}

// Data of an ordinary user stays theirs when root uses it (sudo, a mounted folder).
async function ownerOf(folder: string): Promise<User | undefined> {
  const { uid } = await stat(folder)
  return uid === 0 ? undefined : (await users()).find((user) => user.uid === uid)
}

async function systemUser(): Promise<User> {
  const named = async (...names: string[]) => {
    const known = await users()
    return names.map((name) => known.find((user) => user.name === name)).find((user) => user !== undefined)
  }
  const existing = await named('postgres', 'signalbox')
  if (existing) return existing
  if (Bun.which('useradd')) {
    const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
    Bun.spawnSync(['useradd', '--system', '--user-group', ...home, 'signalbox'])
  }
  const user = await named('signalbox', 'nobody')
  if (!user)
    throw new Failure('PostgreSQL cannot run as root, and there is no other user. Create one: useradd --system signalbox')
  return user
}

async function users(): Promise<User[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  return lines.map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
