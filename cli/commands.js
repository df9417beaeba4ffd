/** Every command: what help and completions say, and what runs it. Nothing else is loaded for help. */

/**
 * @typedef {object} Option
 * @property {'string' | 'boolean'} type
 * @property {string} [value] what it takes, in capitals
 * @property {string} about
 * @property {string} [fallback]
 * @property {string[]} [choices]
 * @property {boolean} [required]
 */

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {string[]} [takes] its arguments
 * @property {string} summary
 * @property {string} [about]
 * @property {Record<string, Option>} options
 * @property {string[]} [examples]
 * @property {string} [exit] what its exit codes mean
 * @property {number} [failed] the exit code of every failure; default 1
 * @property {string} [usage] instead of what follows from `takes` and `options`
 * @property {string} [script] the script of a checkout that runs it
 * @property {() => Promise<{ run: (invocation: import('./main.js').Invocation) => Promise<number | void> }>} load
 */

/** @type {(value: string, about: string, more?: Partial<Option>) => Option} */
const text = (value, about, more = {}) => ({ type: 'string', value, about, ...more })

/** Options of every command. @type {Record<string, Option>} */
export const COMMON = {
  url: text('URL', 'where Signalbox is (default: SIGNALBOX_URL, else the one of the last login, else http://localhost:8080)'),
  json: { type: 'boolean', about: 'print JSON for programs; errors, too' },
  help: { type: 'boolean', about: 'print this' },
}

const GATE_EXIT =
  '0 approved and free to go; 1 rejected, expired, cancelled or revoked; 2 changes requested; 3 still pending or held back, unreachable, or refused'

/** @type {Command[]} */
export const COMMANDS = [
  {
    name: 'login',
    summary: 'sign in on this machine, with a code and your browser',
    about: 'Shows a code, waits until you allow it in the browser, and keeps a personal token in a file that only you can read.',
    options: { scope: text('SCOPE', 'what the token may do', { choices: ['read', 'write'], fallback: 'write' }) },
    examples: ['login --url https://signalbox.example.com', 'login --scope read'],
    load: () => import('./commands/login.js'),
  },
  {
    name: 'whoami',
    summary: 'show whose token is used, and where',
    options: {},
    examples: ['whoami', 'whoami --json'],
    load: () => import('./commands/whoami.js'),
  },
  {
    name: 'open',
    takes: ['[PAGE]'],
    summary: 'open the web app in your browser',
    about: 'PAGE is a kind and an id, such as gate/0198…; without it, what needs you.',
    options: { print: { type: 'boolean', about: 'only print the address' } },
    examples: ['open', 'open gate/01a21559-2c04-7870-864a-1a24f74c5c16'],
    load: () => import('./commands/open.js'),
  },
  {
    name: 'gate open',
    usage: 'gate open (--execution ID | --project ID) --name NAME [options]',
    summary: 'ask people for an approval',
    about: 'Prints the id of the gate. With an environment and a digest, the approval is for exactly that.',
    options: {
      execution: text('ID', 'the execution that waits for the approval'),
      project: text('ID', 'the project, if no execution waits'),
      name: text('NAME', 'what people see first', { required: true }),
      description: text('TEXT', 'Markdown'),
      environment: text('NAME', 'where it may go'),
      digest: text('DIGEST', 'what may go there: sha256:HEX or gitCommit:HEX'),
      uri: text('URI', 'where that is: an https:, git+https:, pkg: or oci: URI'),
      version: text('VERSION', 'what people call it'),
      evidence: text('FILE', 'JSON with summary, metrics, checks, links, artifacts; - reads standard input'),
      'idempotency-key': text('KEY', 'for a job that runs again: the same key prints the same gate, for a day'),
    },
    examples: [
      'gate open --project $PROJECT --name "Release review" --environment production --digest gitCommit:$SHA --uri git+https://github.com/acme/shop',
      'gate open --execution $EXECUTION --name "Release review" --evidence evidence.json',
    ],
    load: () => import('./commands/gate-open.js'),
  },
  {
    name: 'gate show',
    takes: ['GATE'],
    summary: 'show a gate',
    options: {},
    examples: ['gate show $GATE', 'gate show $GATE --json'],
    load: () => import('./commands/gate-show.js'),
  },
  {
    name: 'wait',
    takes: ['GATE'],
    summary: 'wait until a gate is approved, and nothing holds it back',
    about:
      'While a freeze holds back what the approval triggers, or another gate that belongs to it is pending, it goes on waiting.',
    options: {
      timeout: text('SECONDS', 'how long to wait', { fallback: '3600' }),
      decided: { type: 'boolean', about: 'end at the decision, and do not wait for what holds it back' },
    },
    exit: GATE_EXIT,
    failed: 3,
    examples: ['wait $GATE --timeout 1800', 'wait "$(signalbox gate open --project $PROJECT --name Release)" && ./deploy.sh'],
    load: () => import('./commands/wait.js'),
  },
  {
    name: 'verify',
    summary: 'check that something may be deployed',
    about: 'Ask right before you deploy. Everything but a clear yes has another exit code than 0.',
    options: {
      project: text('ID', 'the project', { required: true }),
      environment: text('NAME', 'where it goes', { required: true }),
      digest: text('DIGEST', 'what is deployed: sha256:HEX or gitCommit:HEX', { required: true }),
    },
    exit: '0 allowed; 1 denied; 3 unreachable, or refused',
    failed: 3,
    examples: ['verify --project $PROJECT --environment production --digest gitCommit:$(git rev-parse HEAD) && ./deploy.sh'],
    load: () => import('./commands/verify.js'),
  },
  {
    name: 'track',
    summary: 'show what runs where in a project, and what may come next',
    options: { project: text('ID', 'the project', { required: true }) },
    examples: ['track --project $PROJECT', 'track --project $PROJECT --json'],
    load: () => import('./commands/track.js'),
  },
  {
    name: 'report',
    takes: ['DISPATCH'],
    summary: 'report the outcome of a deployment',
    about: 'Uses SIGNALBOX_REPORT_URL and SIGNALBOX_REPORT_TOKEN, if the command of an agent has them.',
    options: {
      state: text('STATE', 'what happened', { choices: ['in_progress', 'succeeded', 'failed'], required: true }),
      version: text('VERSION', 'what was deployed'),
      digest: text('DIGEST', 'exactly that: sha256:HEX or gitCommit:HEX'),
      link: text('URL', 'where people can read more'),
      description: text('TEXT', 'in words'),
    },
    examples: ['report $SIGNALBOX_DELIVERY --state succeeded --version v1.5.0'],
    load: () => import('./commands/report.js'),
  },
  {
    name: 'usage',
    takes: ['EXECUTION'],
    summary: 'report what an execution has cost',
    options: { cost: text('USD', 'added to what was reported before', { required: true }) },
    examples: ['usage $EXECUTION --cost 0.42'],
    load: () => import('./commands/usage.js'),
  },
  {
    name: 'trigger',
    takes: ['HOOK'],
    summary: 'send a deployment hook by hand',
    options: {
      wait: text('SECONDS', 'how long to wait for the outcome, at most 25', { fallback: '0' }),
      reason: text('TEXT', 'overrides a missing approval, as an admin of the organization; audited'),
    },
    exit: '0 sent or waiting to be sent; 1 failed',
    examples: ['trigger $HOOK', 'trigger $HOOK --wait 20 --json'],
    load: () => import('./commands/trigger.js'),
  },
  {
    name: 'listen',
    usage: 'listen --project ID --forward URL [options], or: listen [--port N] [options]',
    summary: 'get the dispatches of a project on this machine',
    about:
      'With --forward it makes a pull hook of its own, posts what the hook gets to the URL, and acknowledges the answer: 2xx as succeeded, any other is attempted again. At the end the hook is removed. Killed and started again for the same project and URL, it takes up its old hook; one that still runs keeps its own. Without --forward it is a receiver that prints what hooks send to it.',
    options: {
      project: text('ID', 'the project'),
      forward: text('URL', 'where to post, such as http://localhost:3000/hooks'),
      'trigger-on': text('EVENT', 'what triggers the hook', {
        choices: ['gate_approved', 'workflow_done'],
        fallback: 'gate_approved',
      }),
      environment: text('NAME', 'the environment of the hook', { fallback: 'development' }),
      secret: text('SECRET', 'signs what is forwarded; without --forward: checks both signatures'),
      port: text('N', 'without --forward: port to listen on', { fallback: '9000' }),
      status: text('STATUS', 'without --forward: status to answer with', { fallback: '200' }),
      delay: text('MS', 'without --forward: milliseconds before the answer; a hook waits for 15000', { fallback: '0' }),
    },
    examples: ['listen --project $PROJECT --forward http://localhost:3000/hooks', 'listen --port 9000 --secret whsec_…'],
    script: 'listen',
    load: () => import('./commands/listen.js'),
  },
  {
    name: 'agent',
    usage: 'agent --hook ID [options] -- COMMAND …',
    summary: 'run a command for each dispatch of a pull hook',
    about: `Claims one dispatch at a time. No connection comes in from outside.

The command gets the payload on standard input, and the headers as SIGNALBOX_EVENT, SIGNALBOX_DELIVERY, SIGNALBOX_ATTEMPT,
SIGNALBOX_SEQUENCE, SIGNALBOX_REPORT_URL and SIGNALBOX_REPORT_TOKEN. Its exit code is acknowledged: 0 as succeeded, 75 as retry, any
other as failed. Five seconds before its lease ends, the command is stopped; the dispatch is then attempted again. Reports go to --url;
nothing waits for them.`,
    options: {
      hook: text('ID', 'the pull hook', { required: true }),
      token: text('TOKEN', 'pull token of the hook; or set SIGNALBOX_TOKEN, which other users of this machine cannot see'),
      lease: text('SECONDS', 'how long the command may take, 30 to 3600', { fallback: '600' }),
    },
    examples: ['agent --hook $HOOK -- ./deploy.sh'],
    script: 'agent',
    load: () => import('./commands/agent.js'),
  },
  {
    name: 'completions',
    takes: ['SHELL'],
    summary: 'print completions for bash, zsh or fish',
    options: {},
    examples: [
      'completions bash > ~/.local/share/bash-completion/completions/signalbox',
      'completions zsh > ~/.zfunc/_signalbox',
      'completions fish > ~/.config/fish/completions/signalbox.fish',
    ],
    load: () => import('./commands/completions.js'),
  },
]
