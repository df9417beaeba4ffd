/** One file per program: loading the 1,400 modules of an API takes longer than what most files ask of it. */
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = join(import.meta.dir, '../..')
/** Ours, and the dependency that reads files next to its modules. */
const READERS = new RegExp(`^${RegExp.escape(ROOT)}/((api|core|sql|worker)/.*\\.tsx?|node_modules/@seriousme/.*\\.js)$`)

/** Bundles API and worker. @param folder where to: `api/server.js` and `worker/main.js`, for `TEST_PROGRAMS` */
export async function bundlePrograms(folder: string): Promise<void> {
  await Bun.build({
    entrypoints: ['api/server.ts', 'worker/main.ts', 'test/support/watched-statements.ts'].map((file) => join(ROOT, file)),
    root: ROOT,
    outdir: folder,
    target: 'bun',
    // What only some processes import stays in files of its own.
    splitting: true,
    plugins: [
      {
        name: 'files next to modules',
        setup: ({ onLoad, onResolve }) => {
          // It reads a file next to it.
          onResolve({ filter: /^pgsql-parser$/ }, ({ path }) => ({ path: Bun.resolveSync(path, ROOT), external: true }))
          onLoad({ filter: READERS }, async ({ path }) => ({
            loader: path.endsWith('.tsx') ? 'tsx' : path.endsWith('.ts') ? 'ts' : 'js',
            contents: (await Bun.file(path).text())
              .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path)))
              .replaceAll('import.meta.dir', JSON.stringify(dirname(path)))
              .replaceAll('import.meta.main', 'false'),
          }))
        },
      },
    ],
  })
}

/** The file that runs a program: of the bundle in a run of all tests, or its source. @param source such as `api/server.ts` */
export function programFile(source: string): string {
  const folder = process.env.TEST_PROGRAMS
  return folder ? join(folder, source.replace(/\.ts$/, '.js')) : source
}
