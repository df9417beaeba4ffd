/** `urn:ietf:params:oauth:grant-type:jwt-bearer` (RFC 7523): an issuer vouches for a job, which signs in as a service account. */
import { signInByAssertion } from '../sign-in.ts'
import type { Grant } from './grant.ts'

export const jwtBearer: Grant = (request) => signInByAssertion(request, request.parameters.required('assertion'))
