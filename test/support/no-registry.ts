/** npm and Bun without a registry: a package is installed from what it contains, or not at all. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An address at which nothing listens. */
const NOWHERE = 'http://127.0.0.1:9/'

/** Variables with which npm and Bun reach no registry, and have nothing from an earlier run. */
export async function withoutRegistry(): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-npm-'))
  return {
    HOME: folder,
    npm_config_cache: join(folder, 'npm'),
    npm_config_registry: NOWHERE,
    // Otherwise npm tries for minutes.
    npm_config_fetch_retries: '0',
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun'),
    BUN_CONFIG_REGISTRY: NOWHERE,
  }
}
