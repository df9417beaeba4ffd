/** `bun run docs:settings`: writes the documentation of the settings. */
import { join } from 'node:path'
import { answerHelp } from './support/help.ts'
import { settingsDocs } from './support/settings-docs.ts'

answerHelp(`bun run docs:settings

Writes docs/settings.md and .env.example from core/platform/settings.ts. Run it after you have changed a setting.
A test fails while the files differ.`)

for (const [path, text] of Object.entries(settingsDocs())) {
  await Bun.write(join(import.meta.dir, '..', path), text)
  console.log(`Wrote ${path}.`)
}
