/**
 * PostgreSQL refuses to run as root. Where Signalbox is started by root (a container, a bare
 * server), its PostgreSQL runs as a system user of its own.
 */
import { chown, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from './failure.ts'

interface User {
  name: string
  uid: number
  gid: number
}

/** Turns a command line into one that runs as the user who owns the data. */
export type RunAs = (...command: string[]) => string[]

/** Finds the user for `dataDir`, gives the folder to it, and proves that it can run the server's programs there. */
export async function runAsOwnerOf(dataDir: string, programs: { initdb: string; postgres: string }): Promise<RunAs> {
  if (process.getuid?.() !== 0) return (...command) => command
  const user = (await ownerOf(dataDir)) ?? (await systemUser())
  await own(dataDir, user)

  const attempts = [[], ['dac_read_search'], ['dac_override']].map((capabilities) => switchTo(user, capabilities))
  const complaints: string[] = []
  for (const runAs of attempts) {
    const complaint = await complaintAbout(runAs, dataDir, programs)
    if (complaint === undefined) return runAs
    complaints.push(complaint)
  }
  throw new Failure(
    `PostgreSQL does not run as root, and it does not run as the user ${user.name} either:\n  ${complaints.join('\n  ')}\n` +
      'Start Signalbox as an ordinary user, keep it in a folder that everybody may pass (chmod a+x on each folder above it), ' +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  )
}

/** Hands a file that was just written to the owner of `dataDir`, who reads it next; changes nothing unless root wrote it. */
export async function giveToOwnerOf(dataDir: string, file: string): Promise<void> {
  const { uid, gid } = await stat(dataDir)
  if (process.getuid?.() === 0) await chown(file, uid, gid)
}

// A clone below a folder such as /root is closed to everybody else. One capability passes it: reading and searching
// only, or, where a container's bounding set lacks that, the one that containers have. Without no_setuid_fixup the
// kernel leaves it out of access(2), by which PostgreSQL finds its own files.
function switchTo(user: User, capabilities: string[]): RunAs {
  const passing = capabilities.flatMap((capability) => [
    '--securebits=+no_setuid_fixup',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
  ])
  return (...command) => ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...passing, '--', ...command]
}

/** Tries what the server will do: enter its folder, write there, read what is installed beside it, run. */
async function complaintAbout(
  runAs: RunAs,
  dataDir: string,
  { initdb, postgres }: { initdb: string; postgres: string },
): Promise<string | undefined> {
  const template = join(dirname(dirname(postgres)), 'share', 'postgresql', 'postgres.bki')
  const trial = 'cd "$1" && test -w . && cat "$2" > /dev/null && "$3" --version && "$4" --version'
  const command = runAs('sh', '-c', trial, 'sh', dataDir, template, initdb, postgres)
  if (!Bun.which('setpriv')) return 'setpriv is missing (it belongs to the package util-linux)'
  const { exitCode, stderr } = Bun.spawnSync(command, { stdout: 'ignore', stderr: 'pipe', cwd: '/' })
  return exitCode === 0 ? undefined : stderr.toString().trim() || `${dataDir} cannot be written`
}

async function own(dataDir: string, user: User): Promise<void> {
  const { exitCode, stderr } = Bun.spawnSync(['chown', '-R', `${user.uid}:${user.gid}`, dataDir], { stderr: 'pipe' })
  if (exitCode !== 0) throw new Failure(`${dataDir} cannot be given to the user ${user.name}: ${stderr.toString().trim()}`)
}

// Data of an ordinary user, now used by root (sudo, a mounted folder), stays that user's.
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
  if (!user) throw new Failure('PostgreSQL does not run as root, and there is no other user: useradd --system signalbox')
  return user
}

async function users(): Promise<User[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  return lines.map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
