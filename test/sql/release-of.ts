/** A release with the migrations of a folder: `bun test/sql/release-of.ts URL FOLDER`. */
import { migrate } from '../../sql/migrate.ts'

const [, , url = '', folder] = process.argv
await migrate(url, console.log, folder)
