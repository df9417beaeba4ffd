/** Reads settings from the environment of this process. */
import { SettingsError } from './setting-errors.ts'

/** Reads the settings, or exits with a list of all errors. */
export function settingsOrExit<Settings>(read: (environment: Record<string, string | undefined>) => Settings): Settings {
  try {
    return read(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
