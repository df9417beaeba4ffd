/** The releases that the changelog lists. */
import { join } from 'node:path'

interface Release {
  version: string
  /** The day, such as 2026-11-24. */
  date: string
}

/** The releases of CHANGELOG.md, newest first, and whether it lists changes that are in none of them yet. */
export async function readChangelog(): Promise<{ releases: Release[]; hasUnreleased: boolean }> {
  const text = await Bun.file(join(import.meta.dir, '../../CHANGELOG.md')).text()
  const [first = ''] = /^## .*$/m.exec(text) ?? []
  const headings = [...text.matchAll(/^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$/gm)]
  return {
    releases: headings.map(([, version = '', date = '']) => ({ version, date })),
    hasUnreleased: first === '## Unreleased',
  }
}
