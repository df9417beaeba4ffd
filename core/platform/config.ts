/** The settings of this process. Importing it ends a process whose environment is wrong, with one message that lists every fault. */
import { readSettings } from './settings.ts'
import { settingsOrExit } from './settings-or-exit.ts'

export const config = settingsOrExit(readSettings)
