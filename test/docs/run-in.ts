/** Which test runs which shell commands of the documents. */

const HERE = 'test/docs/commands.slow.test.ts'

/** The test that runs the shell blocks of a document which contain a text; without a text, all of them. */
export const RUN_IN: [document: string, containing: string, test: string][] = [
  ['README.md', 'git clone', HERE],
  ['CONTRIBUTING.md', 'bun run dev', 'test/operations/bun-dev.slow.test.ts'],
  ['CONTRIBUTING.md', 'bun run seed', 'test/operations/seed.slow.test.ts'],
  ['CONTRIBUTING.md', 'bun test test/gates', HERE],
  ['cli/README.md', '', 'test/packages/install.slow.test.ts'],
  ['sdk/README.md', '', 'test/packages/install.slow.test.ts'],
  ['docs/approvals.md', '', 'test/docs/approvals.slow.test.ts'],
  ['docs/cli.md', '$ signalbox', 'test/docs/cli.slow.test.ts'],
  ['docs/cli.md', 'signalbox() {', HERE],
  ['docs/cli.md', 'completions bash', HERE],
  ['docs/clients.md', '', 'test/clients/clients.slow.test.ts'],
  ['docs/machines.md', 'sha512sum', HERE],
  ['docs/operating.md', '/livez', HERE],
  ['docs/operating.md', 'pg_dump', 'test/operations/backup.slow.test.ts'],
  ['docs/operating.md', 'pg_restore', 'test/operations/backup.slow.test.ts'],
  ['docs/operating.md', 'Bun.password.hash', HERE],
  ['docs/quickstart.md', '', 'test/docs/quickstart.slow.test.ts'],
  ['docs/receivers/README.md', 'run listen', HERE],
  ['docs/receivers/README.md', '"$REPORT_URL"', HERE],
  ['docs/receivers/README.md', 'node github.mjs', 'test/docs/snippets.test.ts'],
  ['docs/receivers/ci-systems.md', '', 'test/receivers/walkthrough.slow.test.ts'],
  ['docs/receivers/pull.md', '', HERE],
  ['docs/sdk.md', 'npm install', 'test/packages/install.slow.test.ts'],
  ['docs/service-accounts.md', 'users/me', HERE],
  ['docs/slack.md', 'notification-channels', HERE],
  ['docs/usage.md', '', HERE],
  ['docs/verify/README.md', '/verify"', HERE],
  ['docs/verify/README.md', '/attestation"', HERE],
  ['docs/verify/README.md', 'node verify-attestation.mjs', HERE],
  ['docs/verify/README.md', 'cosign', 'test/attestations/offline.slow.test.ts'],
  ['docs/verify/README.md', 'jq ', 'test/attestations/offline.slow.test.ts'],
  ['docs/verify/README.md', 'verify-audit', HERE],
  // Programs and platforms that are not here. What the commands lead to is tested.
  ['docs/agents.md', ' mcp ', HERE],
  ['docs/operating.md', 'heroku create', 'test/deployment.test.ts'],
  ['docs/operating.md', 'docker run', 'test/deployment.slow.test.ts'],
]
