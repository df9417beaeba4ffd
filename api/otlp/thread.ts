/** The thread that reads large exports. */
import { serveThread } from '../plugins/thread.ts'
import { readExport } from './export.ts'

serveThread(readExport)
