/** Reports changes of source files, for `bun run dev`. */
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

const SOURCE = /\.(ts|sql|md|html|css|json|ya?ml)$/
/** Long enough for all files of one save, or of one `git checkout` in most cases. */
const BURST_MS = 150

/**
 * Watches folders below `root`.
 *
 * @param onChange gets the paths that changed, relative to `root`, once per burst; the next call waits for its end
 * @returns stops watching
 */
export function watchFiles(root: string, folders: string[], onChange: (paths: string[]) => Promise<void>): () => void {
  const changed = new Set<string>()
  let timer: Timer | undefined
  let running = Promise.resolve()
  const report = () => {
    const paths = [...changed].sort()
    changed.clear()
    running = running.then(() => onChange(paths))
  }
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (!name || !SOURCE.test(name)) return
      changed.add(join(folder, name))
      clearTimeout(timer)
      timer = setTimeout(report, BURST_MS)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
