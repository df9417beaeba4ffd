/**
 * PostgreSQL refuses to run as root. If Signalbox is started by root (in a container, on a bare server), its PostgreSQL
 * runs as another user.
 */
import { readFile, stat } from 'node:fs/promises'
import { Failure } from './command.ts'

/** Changes a command line so that it runs as the owner of the data. */
export type RunAs = (...command: string[]) => string[]

export type Programs = Record<'initdb' | 'postgres', string> & { locale?: string }

/** Chooses the user, makes it the owner of `dataDir`, and checks that it can run the server's programs there. */
export async function runAsOwnerOf(dataDir: string, programs: Programs): Promise<RunAs> {
  if (process.getuid?.() !== 0) return (...command) => command
  const [name, , uid, gid] = await chooseUser(dataDir)
  await Bun.$`chown -R ${uid}:${gid} ${dataDir}`.quiet()

  const trial = 'cd "$1" && test -w . && "$2" --version && "$3" --version'
  const errors: string[] = []
  // Other users cannot enter a folder such as /root. One capability lets them: dac_read_search, or dac_override where the
  // bounding set of a container lacks it. Without no_setuid_fixup the kernel ignores the capability in access(2), which
  // PostgreSQL uses to find its files.
  for (const capability of [null, 'dac_read_search', 'dac_override']) {
    const passing = capability
      ? ['--securebits=+no_setuid_fixup', `--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`]
      : []
    const runAs: RunAs = (...command) => [
      ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...passing, '--'],
      ...command,
    ]
    const attempt = runAs('sh', '-c', trial, 'sh', dataDir, programs.initdb, programs.postgres)
    const { exitCode, stderr } = await Bun.$`${attempt}`.cwd('/').nothrow().quiet()
    if (exitCode === 0) return runAs
    errors.push(stderr.toString().trim())
  }
  throw new Failure(
    `PostgreSQL cannot run as root, and it could not be run as the user ${name} by setpriv of util-linux:\n  ${errors.join('\n  ')}\n` +
      'Start Signalbox as an ordinary user, make its folder accessible to all users (chmod a+x on each folder above it), ' +
      'or set DATABASE_URL to a PostgreSQL server of your own.',
  )
}

/** @returns the fields of the user in /etc/passwd */
async function chooseUser(dataDir: string): Promise<string[]> {
  const users = async () => (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const named = async (...names: string[]) => (await users()).find(([name = '']) => names.includes(name))
  // Data of an ordinary user stays theirs when root uses it (sudo, a mounted folder).
  const owner = (await stat(dataDir)).uid
  const existing =
    (owner !== 0 && (await users()).find(([, , uid]) => uid === String(owner))) || (await named('postgres', 'signalbox'))
  if (existing) return existing
  const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
  await Bun.$`useradd --system --user-group ${home} signalbox`.nothrow().quiet()
  const user = (await named('signalbox')) ?? (await named('nobody'))
  if (user) return user
  throw new Failure('PostgreSQL cannot run as root, and there is no other user. Create one: useradd --system signalbox')
}
