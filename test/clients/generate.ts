/** `bun test/clients/generate.ts <url of the document> <file>`: writes the output of openapi-typescript. */
import { plugin } from 'bun'

// The generator requires a TypeScript before version 7, which no longer has that API.
plugin({
  name: 'typescript-5',
  setup: (build) => {
    build.module('typescript', async () => ({ exports: await import('typescript-5'), loader: 'object' }))
  },
})

const { default: openapiTS, astToString } = await import('openapi-typescript')
const [, , url = '', file = ''] = process.argv
await Bun.write(file, astToString(await openapiTS(new URL(url))))
