/** The settings of this process. Importing it ends a process whose environment is wrong, with one message that lists every fault. */
import { readSettings, type Settings, SettingsError } from './settings.ts'

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

export const config = settingsOrExit()
