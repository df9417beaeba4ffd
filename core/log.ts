/** One JSON line a fact, on stdout. */
import pino from 'pino'
import { config } from './config.ts'

export const log = pino({
  level: config.LOG_LEVEL,
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  messageKey: 'message',
  formatters: { level: (label) => ({ level: label }) },
  // A last net: nothing here should ever be logged in the first place.
  redact: ['*.secret', '*.password', '*.token', '*.authorization', '*.headers'],
})
