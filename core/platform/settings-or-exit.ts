/** Reads settings from the environment of this process. */
import { SettingsError } from './settings.ts'

/** Ends the process if the environment is wrong, with one message that lists every fault. */
export function settingsOrExit<Settings>(read: (environment: Record<string, string | undefined>) => Settings): Settings {
  try {
    return read(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
