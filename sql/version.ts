/** The version of this code: what its sessions are named after, its release checks, and its packages have. */
export { version } from '../package.json'
