/** The SDK of Signalbox. `index.d.ts` describes it. */
export { createClient } from './client.js'
export { SignalboxError } from './error.js'
export { paginate } from './paginate.js'
export { verifyWebhook, WebhookVerificationError } from './webhooks.js'
