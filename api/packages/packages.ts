/**
 * The npm packages of the command line and of the SDK. The service hands them out because no public registry does: their
 * names are free there, and what others publish under them is not ours.
 */
import { dirname, join } from 'node:path'
import { type TarFile, tarOf } from './tar.ts'

const ROOT = join(import.meta.dir, '../..')

export const PACKAGES = ['cli', 'sdk'] as const

export type PackageName = (typeof PACKAGES)[number]

interface Package {
  bytes: Uint8Array<ArrayBuffer>
  /** In hexadecimal digits, as `sha512sum` prints it. */
  sha512: string
}

interface Manifest {
  files: string[]
  bin?: Record<string, string>
  dependencies?: Record<string, string>
  /** What the package contains. Our manifests have no `dependencies`: Bun would ask a registry for them. */
  bundleDependencies?: string[]
}

const manifestIn = (folder: string): Promise<Manifest> => Bun.file(join(folder, 'package.json')).json()

/** The files of a folder that match one of the patterns. */
async function filesIn(folder: string, patterns: string[], to: string, programs: string[] = []): Promise<TarFile[]> {
  const names = new Set(patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(folder)]))
  return Promise.all(
    [...names].map(async (name) => ({
      path: `${to}/${name}`,
      mode: programs.includes(name) ? 0o755 : 0o644,
      bytes: await Bun.file(join(folder, name)).bytes(),
    })),
  )
}

/** What runs of a dependency: neither its sources nor its maps, which weigh the most. */
const OF_DEPENDENCY = ['package.json', 'LICENSE', 'dist/**/*.{js,mjs,cjs,ts,mts,cts}']

/** The folders of dependencies, and of what they depend on, by their names. */
async function dependencies(names: string[], found = new Map<string, string>()): Promise<Map<string, string>> {
  for (const name of names) {
    if (found.has(name)) continue
    const folder = dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir))
    found.set(name, folder)
    await dependencies(Object.keys((await manifestIn(folder)).dependencies ?? {}), found)
  }
  return found
}

async function make(name: PackageName): Promise<Package> {
  const folder = join(ROOT, name)
  const { files, bin = {}, bundleDependencies = [] } = await manifestIn(folder)
  const parts = await Promise.all([
    filesIn(folder, ['package.json', 'README.md', ...files], 'package', Object.values(bin)),
    filesIn(ROOT, ['LICENSE'], 'package'),
    ...[...(await dependencies(bundleDependencies))].map(([dependency, from]) =>
      filesIn(from, OF_DEPENDENCY, `package/node_modules/${dependency}`),
    ),
  ])
  // Its output is the same on every processor; the output of zlib differs.
  const bytes = Bun.gzipSync(tarOf(parts.flat()), { library: 'libdeflate', level: 9 })
  return { bytes, sha512: new Bun.CryptoHasher('sha512').update(bytes).digest('hex') }
}

const made = new Map<PackageName, Promise<Package>>()

/** A package of this version. It is made when it is first asked for; the same version has the same bytes. */
export function packageOf(name: PackageName): Promise<Package> {
  const known = made.get(name) ?? make(name)
  made.set(name, known)
  return known
}
