/** The settings of this process. Importing this module exits with a list of all errors if the environment is not valid. */
import { readSettings } from './settings.ts'
import { settingsOrExit } from './settings-or-exit.ts'

export const config = settingsOrExit(readSettings)
