#!/usr/bin/env node
/** The command line of Signalbox. Each command is loaded when it runs, so that help starts fast. */
import { main } from './main.js'

// What reads the output may end before, such as `tee` after an agent: that is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
const exitCode = await main(process.argv.slice(2))
// Connections that are kept alive would keep the process as well. What was written to a pipe comes first.
process.stdout.write('', () => process.exit(exitCode))
