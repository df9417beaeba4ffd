/** `bun test/clients/generate.ts <url of the document> <file>`: what openapi-typescript generates. */
import { plugin } from 'bun'

// The generator is written against the TypeScript before 7, which is no library any more.
plugin({
  name: 'typescript-5',
  setup: (build) => {
    build.module('typescript', async () => ({ exports: await import('typescript-5'), loader: 'object' }))
  },
})

const { default: openapiTS, astToString } = await import('openapi-typescript')
const [, , url = '', file = ''] = process.argv
await Bun.write(file, astToString(await openapiTS(new URL(url))))
