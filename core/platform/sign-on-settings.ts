/** The settings of single sign-on for the whole instance. */
import { setting } from './setting-errors.ts'
import { claimPairs, integer, issuer, oneOf, openIdScopes, text } from './setting-values.ts'

export const SIGN_ON_SETTINGS = {
  SIGN_IN: setting(oneOf('any', 'sso'), {
    fallback: 'any',
    about:
      '`sso` lets people sign in with the provider of `OIDC_ISSUER` alone: passwords, and passkeys without it, open no session, and what was opened with them ends. `any` is the way back.',
  }),
  OIDC_ISSUER: setting(issuer, {
    about:
      'OpenID provider with which people of the whole instance sign in, such as `https://login.example.com/realms/acme`, exactly as its discovery document names it. See [Single sign-on](sso.md).',
  }),
  OIDC_CLIENT_ID: setting(text, { about: 'Client id of Signalbox at the provider. Required with `OIDC_ISSUER`.' }),
  OIDC_CLIENT_SECRET: setting(text, { about: 'Client secret of Signalbox at the provider. Required with `OIDC_ISSUER`.' }),
  OIDC_NAME: setting(text, {
    fallback: 'single sign-on',
    about: 'Name of the provider on the button: "Sign in with …".',
  }),
  OIDC_SCOPES: setting(openIdScopes, {
    fallback: 'openid email profile',
    about: 'Scopes to request, separated by spaces.',
  }),
  OIDC_CLAIMS: setting(claimPairs, {
    fallback: '',
    about:
      'Claims that every person must have to sign in, such as `hd=example.com`, separated by commas. A name that is repeated may have any of its values. Required for `https://accounts.google.com` (`hd`) and `https://gitlab.com` (`groups_direct`), with which anyone could sign in.',
  }),
  OIDC_TRUST_EMAIL: setting(oneOf('on', 'off'), {
    fallback: 'off',
    about:
      '`on` treats addresses as verified although the provider does not say so (`email_verified`). Only for providers whose people cannot choose their address.',
  }),
  OIDC_SESSION_HOURS: setting(integer(1, 168), {
    fallback: '12',
    about: 'How long a sign-in with the provider lasts; then people sign in again.',
  }),
  SSO_SECONDS: setting(integer(1, 604_800), {
    about: 'For tests: how long a sign-in with any provider lasts, instead of the hours that are set.',
  }),
  SSO_DOMAIN_SECONDS: setting(integer(1, 86_400), {
    fallback: '86400',
    about: 'For tests: how often the records of verified domains are checked, instead of once a day.',
  }),
} as const
