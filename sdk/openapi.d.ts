// Generated from the OpenAPI document by test/clients/generate.ts.

export interface paths {
    "/api/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register and sign in
         * @description A verification link is mailed to the address, unless the operator turned verification off. Registering again replaces an account whose address was never verified, and ends its sessions and tokens.
         *
         *     No token required.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description An unknown address and a wrong password produce the same response after the same time. An account with a second factor gets 401 `second_factor_required` with `methods` (`totp`, `passkey`, `recovery_code`) and a `ticket` for `POST /api/v1/auth/login/second-factor`.
         *
         *     No token required.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token
         * @description A refresh token is valid for 30 days and can be used once. Using it a second time ends the session, except within 10 seconds of the first use.
         *
         *     No token required.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description The session's tokens stop working at once.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Active sessions, newest first. Personal tokens are listed at `GET /api/v1/auth/tokens`.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Its tokens stop working at once. It may be the session of this request.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a password reset
         * @description Mails a link that works for an hour, until one of the mailed links is used. An account gets at most 5 mails an hour. The response is the same whether or not the address is registered, and a mail is sent.
         *
         *     No token required.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password-reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with a mailed token
         * @description Ends everything that the account can be used by: sessions, personal tokens, linked Slack accounts, mailed links that decide gates, and a pending address. The account's address counts as verified, since the link was mailed to it.
         *
         *     No token required.
         */
        post: operations["confirmPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/restore-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a change of address with a mailed token
         * @description The former address receives the token when a change is requested, and again when it is done. The token is valid for 72 hours. The account has its former address again, everything that it can be used by ends, as with a new password, second factors and recovery codes that were added since the change began are removed, and a link to set a new password is mailed.
         *
         *     No token required.
         */
        post: operations["restoreEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify an e-mail address with a mailed token
         * @description A `pending_email` becomes the address of the account.
         *
         *     No token required.
         */
        post: operations["verifyEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/verify-email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend the verification link
         * @description The new link replaces the old one. It is mailed to `pending_email`, if set. Does nothing if the address is already verified.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["resendVerificationEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a sign-in with a second factor
         * @description Takes the `ticket` that `POST /api/v1/auth/login` returned, and one of `code`, `recovery_code` and `assertion`. The ticket is valid for 5 minutes and opens one session; after a wrong second factor it can be used again. Wrong ones count as wrong passwords do. A code is accepted one step (30 seconds) early or late, and once.
         *
         *     No token required.
         */
        post: operations["completeLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your second factors
         * @description Passkeys are listed at `GET /api/v1/auth/passkeys`.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["getSecondFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up an authenticator app
         * @description Returns a secret for the app (TOTP: SHA-1, 6 digits, 30 seconds), which is shown only now. Confirm it in the same session within 10 minutes. An app that you have stays in use until then. Requires a sign-in within 10 minutes (refreshing a token does not count as a sign-in), or `current_password`, or an `assertion` of a passkey.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["beginTotp"];
        /**
         * Remove your authenticator app
         * @description The recovery codes go with your last second factor. Requires a sign-in within 10 minutes (refreshing a token does not count as a sign-in), or `current_password`, or an `assertion` of a passkey.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        delete: operations["removeTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an authenticator app with a code
         * @description From now on a sign-in with the password requires a second factor. The code counts as used. Returns 10 recovery codes, which replace earlier ones.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["confirmTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/second-factors/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove your second factors with a mailed token and the password
         * @description For a lost phone: the owner of an organization has a link mailed to a member. The token is valid for 24 hours and works once. A wrong password counts as at sign-in, and leaves it valid. For 7 days after the password was reset by mail the answer is 409 `password_recently_reset`: a recovery code, another second factor or the operator of the service helps.
         *
         *     No token required.
         */
        post: operations["resetSecondFactors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes
         * @description They replace earlier ones. Requires a second factor. Requires a sign-in within 10 minutes (refreshing a token does not count as a sign-in), or `current_password`, or an `assertion` of a passkey.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["createRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a browser needs to sign in with a passkey
         * @description Without a token: for signing in; any discoverable passkey will do. With the access token of a session: for the `assertion` with which sensitive changes in this session are confirmed; it must be a passkey of the user. A challenge can be answered once, also if the answer is refused, and within 5 minutes.
         *
         *     No token required.
         */
        post: operations["getPasskeyRequestOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login/second-factor/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a browser needs to complete a sign-in with a passkey
         * @description For the `assertion` of `POST /api/v1/auth/login/second-factor` with the same ticket. The challenge can be answered once, also if the answer is refused, and within 5 minutes.
         *
         *     No token required.
         */
        post: operations["getSecondFactorOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description Without an address or a password. A passkey whose signature counter falls back is refused.
         *
         *     No token required.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * @description Newest first.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Register a passkey
         * @description With the credential that the browser created from the options. The account is mailed. A user has at most 10 passkeys. Requires a sign-in within 10 minutes, or `current_password`, or an `assertion` to the options of `POST /api/v1/auth/passkey/options` in this session.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a browser needs to create a passkey
         * @description The passkey must be discoverable and verify its user; an attestation is not asked for. The challenge belongs to this session, can be answered once and within 5 minutes. At most 10 are open: a newer one replaces the oldest. Requires a sign-in within 10 minutes, or `current_password`, or an `assertion` to the options of `POST /api/v1/auth/passkey/options` in this session.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["getPasskeyCreationOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/{passkey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one of your passkeys
         * @description It stops working at once. The account is mailed. The last second factor of the owner of an organization that requires one cannot be removed. Requires a sign-in within 10 minutes, or `current_password`, or an `assertion` to the options of `POST /api/v1/auth/passkey/options` in this session.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your account
         * @description A service account gets what it is, with the scopes of its token.
         *
         *     Requires a signed-in user.
         */
        get: operations["getMe"];
        /**
         * Update your account
         * @description A new `password` requires `current_password` and ends your other sessions. A new `email` requires it too. The new address is stored as `pending_email`, replacing an earlier one, until the link mailed to it is opened. Until then the old address remains in use. It receives a notice, with a link that takes the change back within 72 hours and ends all sessions. Sending your current address cancels a pending change. An account gets 10 new addresses a day. If the operator turned `EMAIL_VERIFICATION` off, the address changes at once.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        put: operations["updateMe"];
        post?: never;
        /**
         * Delete your account
         * @description Cannot be undone. You leave all organizations, all sessions and tokens end, and your address can be registered again. Your name remains in records of what you did. Transfer or delete the organizations that you own first.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/security-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your security log
         * @description Newest first: successful and failed sign-ins, ended sessions, and changes of personal tokens, password and address.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listSecurityLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the avatar of a user
         * @description The uploaded image as WebP, or an SVG pattern generated from the id. Every UUID has one, so the response does not reveal whether the user exists.
         *
         *     No token required.
         */
        get: operations["getAvatar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload your avatar
         * @description The body is the image itself, at most 1 MiB and 4096 × 4096 pixels, not animated. It is stored as WebP of at most 256 × 256 pixels; its metadata, such as the place of a photo, is not. The image is public. `If-Match` takes the ETag of the current avatar.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        put: operations["uploadAvatar"];
        post?: never;
        /**
         * Delete your avatar
         * @description The generated pattern is shown instead. Does nothing if there is no uploaded image.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        delete: operations["deleteAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your linked identities
         * @description Newest first: Slack accounts, whose clicks on buttons decide as you, and accounts at OpenID providers, which sign you in. Click once in Slack, or sign in with a provider, to link one.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink one of your identities
         * @description From then on, clicks of that Slack account decide nothing, or that OpenID provider does not sign you in; other sessions that it opened end.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        delete: operations["unlinkIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your personal tokens
         * @description Newest first, without the secret. Clients that you have allowed to act for you are among them, named after the client and with its `client_id`. Expired tokens are listed for another 30 days.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a personal token
         * @description The token has your permissions until it expires or is revoked; a password reset revokes all tokens. With `scope: read` it only reads. Only with `scope: decide` it can approve and reject gates, as you: everyone who can read such a token can decide in your name. With an `organization_id` it is restricted to that organization, whose admins can see and revoke it, and it is deleted when you leave. Tokens cannot create tokens, end sessions or change your account. Only this response contains `token`.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke one of your personal tokens
         * @description It stops working at once.
         *
         *     Requires a session; personal tokens are rejected. Service accounts cannot do this.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the personal tokens restricted to an organization
         * @description Newest first, with their owners and without the secrets.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listOrganizationTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a personal token restricted to an organization
         * @description It stops working at once. Recorded in the audit log and in the security log of its owner.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["revokeOrganizationToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/service-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the service accounts of an organization
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listServiceAccounts"];
        put?: never;
        /**
         * Create a service account
         * @description A service account is the identity of a program, such as a build or an agent. It works in the organization, in one workspace or in one project, does there what its scopes allow, and is the actor of that: what it opened or started is no person's own. Anything else is refused: 403 `insufficient_scope` without the scope, 404 outside its place. No scope decides a gate, reads or writes secrets, or changes people, roles, hooks, channels, policies, budgets or service accounts. An organization has at most 100.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        post: operations["createServiceAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-accounts/{service_account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a service account
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["getServiceAccount"];
        /**
         * Update a service account
         * @description What changes counts from the next request on, also for tokens that were issued before: with `enabled: false` the keys and tokens of the account are refused.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["updateServiceAccount"];
        post?: never;
        /**
         * Delete a service account
         * @description Its keys and tokens are refused from the next request on. Records still show its id and name.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["deleteServiceAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-accounts/{service_account_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of a service account
         * @description Newest first, without the keys themselves.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listServiceAccountKeys"];
        put?: never;
        /**
         * Create a key of a service account
         * @description A key is a bearer token for the API. Only this response contains `key`. Where the platform of a build can vouch for it, a trust needs no key. An account has at most 5 keys; those that have expired do not count, and are deleted with the next new one.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        post: operations["createServiceAccountKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-accounts/{service_account_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key of a service account
         * @description It stops working at once, and so do the access tokens that were given for it.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["revokeServiceAccountKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the single sign-on of an organization
         * @description 404 before the first PUT. See [Single sign-on](/docs/sso).
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["getSso"];
        /**
         * Set up or change the single sign-on of an organization
         * @description The first request makes the connection, and needs `issuer`, `client_id` and `client_secret`, or `use_instance`. Its discovery document is fetched then. Only the owner, in a session whose sign-in is no older than 10 minutes, or with `current_password` or `assertion`. To require it, the owner must have signed on with it, and have a second factor. If the provider is lost, an owner who has signed in within 10 minutes with a second factor may still read and change this, which is mailed to the admins.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        put: operations["putSso"];
        post?: never;
        /**
         * Delete the single sign-on of an organization
         * @description All people are unlinked, and sessions that it opened end. Members stay. Not while it is required.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        delete: operations["deleteSso"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/sso/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the domains of an organization
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listSsoDomains"];
        put?: never;
        /**
         * Claim a domain
         * @description It counts once it is verified: add the TXT `record` to the domain first. Subdomains count apart. At most 10.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        post: operations["addSsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/sso/domains/{domain_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a domain
         * @description Asks for its TXT record. Verified domains are checked daily: one whose record is missing three times has lapsed. A domain of another organization is taken over if its record is gone.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        post: operations["verifySsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/sso/domains/{domain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a domain
         * @description Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        delete: operations["removeSsoDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/sso/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the people who are linked to the provider of an organization
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listSsoIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/sso/identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink a person from the provider of an organization
         * @description Sessions that the provider opened for them end. They stay a member.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["unlinkSsoIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-accounts/{service_account_id}/trusts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the trusts of a service account
         * @description Newest first.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listTrusts"];
        put?: never;
        /**
         * Let a service account sign in with tokens of a CI system
         * @description A token of the issuer signs in as the account at `/oauth/token` if it has one of the listed values of every claim. Claims must name who has the token: for GitHub `repository_id` and one of `ref`, `environment` and `job_workflow_ref`; for gitlab.com `project_id` and one of `ref`, `ref_protected` and `environment`; for others `sub`, or at least two other claims. The names of repositories and projects can be taken over by others, their ids cannot. An account has at most 20 trusts. See [Machines](/docs/machines).
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        post: operations["createTrust"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service-accounts/{service_account_id}/trusts/{trust_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Update a trust
         * @description Counts for the next sign-in. Access tokens that were given before work until they expire.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["updateTrust"];
        post?: never;
        /**
         * Delete a trust
         * @description The access tokens that were given for it stop working at once.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["deleteTrust"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your organizations
         * @description Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description Every signed-in user can create organizations and becomes the owner. `slug` and `org_key` are derived from the name and never change.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization
         * @description Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["getOrganization"];
        /**
         * Update an organization
         * @description Changes only the given fields; `null` clears a field. A limit below the current count is allowed and only prevents growth. Only the owner, who must have a second factor, can set `require_second_factor`.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["updateOrganization"];
        post?: never;
        /**
         * Delete an organization and everything in it
         * @description Cannot be undone. Everything in it responds with 404 at once, queued work is discarded, and its slug can be used again. The rows are deleted in the background.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/my-role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your role in an organization
         * @description Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["getMyRole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/transfer-ownership": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer ownership
         * @description Another member becomes the owner, and you become an admin. If the organization requires a second factor, the new owner must have one.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        post: operations["transferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview an open organization
         * @description Responds with 404 if `registration_mode` is `invite-only`, as for an unknown organization.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["previewOrganization"];
        put?: never;
        /**
         * Join an open organization
         * @description You become a `member`. Responds with 404 if `registration_mode` is `invite-only`.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["joinOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of an organization
         * @description Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Add or invite a member
         * @description Takes either `email` or `user_id`. A user with a verified address becomes a member at once (201). Any other address gets an invitation by mail, valid for 7 days (202); inviting it again mails a new link and restarts the 7 days. Only the owner can add or invite an `admin`. The address of the caller must be verified. An account can send 50 invitations a day, unless the operator chose another number, and an address gets 3 a day.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        post: operations["addMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/members/{member_user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a member's role
         * @description Only the owner can promote or demote an admin. The role of the owner changes only by a transfer.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["updateMember"];
        post?: never;
        /**
         * Remove a member, or leave
         * @description Every member except the owner can leave. Removing another member requires the role `admin`; only the owner can remove an admin. The member loses all roles in workspaces, and workspaces that they own pass to the owner of the organization.
         *
         *     Requires the role `member` in the organization. Service accounts cannot do this.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/members/{member_user_id}/reset-second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the second factors of a member
         * @description For a member who has lost them. A link is mailed to the member, who removes their second factors with it and their password: other organizations may rely on them too. Answers 409 if the member has no second factor, or has not verified their address. A personal token needs the scope `decide`.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        post: operations["resetMemberSecondFactors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a workspace
         * @description Users with a role in the workspace. Owners and admins of the organization are also admins of the workspace, but are not listed.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["listWorkspaceMembers"];
        put?: never;
        /**
         * Add a member to a workspace
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["addWorkspaceMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a member's role in a workspace
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateWorkspaceMember"];
        post?: never;
        /**
         * Remove a member from a workspace, or leave
         * @description Removing another member requires the role `admin`. If the owner of the workspace leaves, it passes to the owner of the organization.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        delete: operations["removeWorkspaceMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pending invitations of an organization
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/invitations/{invitation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Its link stops working at once. Only the owner can revoke the invitation of an admin.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/invitations/{invitation_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend an invitation
         * @description Mails a new link, valid for 7 days. The old link stops working at once.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        post: operations["resendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview an invitation
         * @description Shows what a mailed link invites to, without an account. Changes nothing.
         *
         *     No token required.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation with a mailed token
         * @description Only the account of the invited address can accept. Accepting verifies the address. Users who are already members keep their role.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["acceptInvitationByToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your pending invitations
         * @description Invitations to your address. Empty until the address is verified.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listMyInvitations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/invitations/{invitation_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/me/invitations/{invitation_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline an invitation
         * @description Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["declineInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the budget of an organization
         * @description Spend is reported by executions and counted in the calendar month (UTC) of the report. Spend of deleted resources remains in `budget_used_usd`, but belongs to no workspace. `budget.alert` is emitted when the spend exceeds the threshold, `budget.exhausted` when it reaches the limit: each once a month, and again only after the limit or the threshold was changed. While the budget is exhausted, executions cannot be created or started (409 `budget_exhausted`); running ones can still report usage.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["getBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/budget/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the monthly spend of an organization
         * @description Newest month first; months without spend are left out. With `group_by`, one entry per month and workspace, project, agent or model, including deleted ones.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["getBudgetHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/model-prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prices of models
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listModelPrices"];
        /**
         * Replace the prices of models
         * @description The whole list, at most 200. They compute the cost of usage that is reported without one. Of the prices that have begun when a model is used, the one with its exact name counts, else the one with the longest prefix of its name (`gpt-5*`); of several, the latest. A price is no longer used when a later one begins: to change it, add one. Usage that is already recorded keeps its cost.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["setModelPrices"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/agent-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the limits of agents
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["listAgentLimits"];
        /**
         * Replace the limits of agents
         * @description The whole list, at most 200. `max_cost_usd` is what the executions of an agent may cost in a calendar month (UTC), in all projects together. Once that is reached, executions of the agent cannot be created or started (409 `budget_exhausted`); running ones continue, and can still report usage.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["setAgentLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/agent-standings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the agents of an organization
         * @description The outcomes of the executions that were created in the given months, in all workspaces, by agent. For admins, as the spend is. Each rate has the count that it stands on and its 95% Wilson interval, which is wide with few cases. Agents with at least 20 cases are ranked by the worse end of the interval, or by the mean; equal ones share a rank. Comparisons count if they were created in the months, with the agents that they name. Rollouts count for the agents of the execution whose gate they follow, or of the workflow that they deploy, whenever they ended; a rollout was rolled back if the next dispatch of its hook is a rollback. `caveats` says what the figures cannot tell. See [Usage and costs](/docs/usage#agents-compared).
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        get: operations["getAgentStandings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/otlp/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive spans
         * @description OTLP over HTTP, in Protocol Buffers or JSON, at most 4 MiB, also when it is compressed with gzip. Spans of inference by the [conventions for generative AI](https://opentelemetry.io/docs/specs/semconv/gen-ai/) (`gen_ai.operation.name` is `chat`, `generate_content` or `text_completion`, with counts of tokens) become usage of the execution that the resource attribute `signalbox.execution_id` names. Each span counts once, however often it is sent. All other spans are accepted, and not counted. Usage of an execution that does not exist, has not started, or is not accessible to the caller is rejected in `partial_success`; the rest counts. Names of models, counts of tokens and times are stored, and nothing else: no prompts and answers. See [Usage and costs](/docs/usage).
         *
         *     Requires a signed-in user. A service account needs the scope `usage:write`.
         */
        post: operations["exportTraces"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/otlp/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive log records
         * @description As for spans. Events of inference by the conventions for generative AI, the events `claude_code.api_request` of Claude Code, and the token counts of Codex (`codex.sse_event`) become usage. An event counts once: it is identified by the id of its request, or by everything in it. What both an event and its span report counts once.
         *
         *     Requires a signed-in user. A service account needs the scope `usage:write`.
         */
        post: operations["exportLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/otlp/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept metrics
         * @description For exporters that send all signals to one endpoint. Metrics are not read and not counted: their sums repeat what spans and log records report.
         *
         *     Requires a signed-in user. A service account needs the scope `usage:write`.
         */
        post: operations["exportMetrics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the groups of an organization
         * @description Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Create a group
         * @description A group is a set of people whose approval the policy of an environment can require. An organization has at most 50.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a group
         * @description Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["getGroup"];
        /**
         * Update a group
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["updateGroup"];
        post?: never;
        /**
         * Delete a group
         * @description A group that the policy of an environment or a pending gate names cannot be deleted.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["deleteGroup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a group
         * @description Latest first. A person who leaves the organization leaves its groups.
         *
         *     Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["listGroupMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Add a member to a group
         * @description A group has at most 200 members, all of them members of its organization. People who are already in it stay in it.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["addGroupMember"];
        post?: never;
        /**
         * Remove a member from a group
         * @description Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["removeGroupMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/runtimes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runtimes of an organization
         * @description Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["listRuntimes"];
        put?: never;
        /**
         * Register a runtime
         * @description A runtime is a daemon that runs agents for the organization. You become its owner. It is online at once and must send a heartbeat at least every 90 seconds (`RUNTIME_OFFLINE_SECONDS`); every 30 seconds is recommended. Emits `runtime.online`.
         *
         *     Requires the role `member` in the organization. Service accounts cannot do this.
         */
        post: operations["registerRuntime"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtimes/{runtime_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a heartbeat
         * @description Reports that the runtime is alive and, with `agents`, which agents it can run. An offline runtime becomes online, which emits `runtime.online`. Heartbeats are not recorded in the audit log.
         *
         *     Requires the role `admin` in the organization, or to own the runtime. Service accounts cannot do this.
         */
        post: operations["sendHeartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runtimes/{runtime_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a runtime
         * @description Executions that ran on it are kept; their `runtime_id` becomes null.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        delete: operations["deleteRuntime"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log of an organization
         * @description Newest first. `start_date` is inclusive, `end_date` exclusive. Entries are written in the transaction of the change that they record, and the database rejects updates and deletions of entries. A service account of one workspace gets the entries about it, and one of a project none.
         *
         *     Requires the role `admin` in the organization. A service account needs the scope `audit:read`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/audit-logs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Streams the matching entries, newest first. `X-Total-Count` contains the number of entries; a failed export resets its connection. In CSV, values that spreadsheets would execute are prefixed with an apostrophe. The export itself is recorded as `audit_log.exported`.
         *
         *     Requires the role `admin` in the organization. A service account needs the scope `audit:read`.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/audit-logs/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the audit log
         * @description Seconds after they are written, entries are sealed in a hash chain: each has a gapless number and a hash over its content and the previous hash. This operation recomputes the chain after `after_seq`, at most 100,000 entries per call. The call that reaches the end of the chain also detects entries that were inserted without a seal.
         *
         *     Store a `head` outside the service. Sent later as `after_seq` and `after_hash`, it proves that no entry up to it was changed or removed; a chain alone cannot show that its end was cut off.
         *
         *     The hash is SHA-256 over the UTF-8 text `signalbox.audit.1`, followed by netstrings (`<bytes>:<text>,`, or `-,` for null) of: the previous hash in hex (64 zeros for the first entry), the number, and the fields of the entry as the audit log returns them, in the order `id`, `organization_id`, `workspace_id`, `workspace_name`, `actor_type`, `actor_id`, `actor_name`, `action`, `resource_type`, `resource_id`, `detail`, `ip_address`, `created_at`. For an entry whose `via` is not null, the text begins with `signalbox.audit.2`, and `via` is the last field.
         *
         *     Requires the role `admin` in the organization. A service account needs the scope `audit:read`.
         */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces of an organization
         * @description Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace
         * @description You become its admin. Owners and admins of the organization are admins of all its workspaces.
         *
         *     Requires the role `member` in the organization. Service accounts cannot do this.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a workspace
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getWorkspace"];
        /**
         * Update a workspace
         * @description A `gate_policy.decide_via` that leaves no way to approve gates for an environment, as its policy says, is refused with `not_allowed`.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateWorkspace"];
        post?: never;
        /**
         * Delete a workspace and everything in it
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects of a workspace
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getProject"];
        /**
         * Update a project
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateProject"];
        post?: never;
        /**
         * Delete a project and everything in it
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is in work in a project, and what runs in its environments
         * @description What the page of the project shows, in one answer of at most 64 KiB: what may come to each environment next, and what holds it back.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getProjectTrack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened in a project
         * @description Newest first: what people and agents did, and the outcomes of rollouts, each as a sentence. Names are those of now, where what has them still exists. What was done before version 0.4.0 is not listed, apart from rollouts. A rollout that is reported after it became `unknown` or `not_delivered` comes first again: a walk that has passed its new place does not see it.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/workflow-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workflow template of an organization
         * @description The text of a workflow definition file. Default: a built-in template.
         *
         *     Requires the role `member` in the organization. Service accounts cannot do this.
         */
        get: operations["getOrganizationWorkflowTemplate"];
        /**
         * Set the workflow template of an organization
         * @description New workspaces start with a copy; existing ones keep theirs.
         *
         *     Requires the role `admin` in the organization. Service accounts cannot do this.
         */
        put: operations["updateOrganizationWorkflowTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/workflow-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workflow template of a workspace
         * @description The text of a workflow definition file. Default: a copy of the template that the organization had when the workspace was created, or a built-in one.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getWorkspaceWorkflowTemplate"];
        /**
         * Set the workflow template of a workspace
         * @description New projects start with a copy; existing ones keep theirs.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateWorkspaceWorkflowTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/workflow-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the workflow template of a project
         * @description The text of a workflow definition file. Default: a copy of the template that the workspace had when the project was created, or a built-in one.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getProjectWorkflowTemplate"];
        /**
         * Set the workflow template of a project
         * @description Applies to this project only.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateProjectWorkflowTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requirements of a project
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["listRequirements"];
        put?: never;
        /**
         * Create a requirement
         * @description Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        post: operations["createRequirement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requirements/{requirement_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a requirement
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getRequirement"];
        /**
         * Update a requirement
         * @description Every change of status is allowed. Each is recorded with its time and author.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateRequirement"];
        post?: never;
        /**
         * Delete a requirement and its executions
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteRequirement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requirements/{requirement_id}/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the executions of a requirement
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read` or `executions:write`.
         */
        get: operations["listExecutions"];
        put?: never;
        /**
         * Queue an execution
         * @description With `start`, it is running at once. Executions with the same `graph_id` form one run of a workflow graph: `workflow.completed` is emitted when the last of them ends.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `executions:write`.
         */
        post: operations["createExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{execution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an execution
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read` or `executions:write` or `usage:write`.
         */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{execution_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an execution
         * @description `queued → running`. `cost_from` and `max_cost_usd` replace what the execution was created with.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `executions:write`.
         */
        post: operations["startExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{execution_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an execution
         * @description `running → completed`. Not possible while a gate is pending. `cost_usd` is added to the cost reported before.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `executions:write`.
         */
        post: operations["completeExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{execution_id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail an execution
         * @description `running → failed` or `awaiting_gate → failed`. Pending gates become `cancelled`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `executions:write`.
         */
        post: operations["failExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{execution_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an execution
         * @description An unfinished execution and its pending gates become `cancelled`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `executions:write`.
         */
        post: operations["cancelExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{execution_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report usage
         * @description An amount, or the use of a model with its tokens. `cost_usd` is added to the cost reported before; without it, the cost of a model is computed by the [prices](#setModelPrices) of the organization. Allowed once the execution has started, also after it has ended. A report that would raise a sum above 1,000,000,000,000 USD is rejected with 422 (`amount_out_of_range`). Agents that export telemetry need not report: see [Usage and costs](/docs/usage).
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `usage:write`.
         */
        post: operations["reportUsage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/executions/{execution_id}/gates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the gates of an execution
         * @description Newest first. A response has about 2 MiB of evidence at most: it can have fewer gates than `limit`, and its `Link` then leads to the next ones.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:read` or `gates:open`.
         */
        get: operations["listExecutionGates"];
        put?: never;
        /**
         * Open a gate
         * @description The execution becomes `awaiting_gate`, and stays so until its last pending gate is approved. Rules come from the gate policy of the workspace and, if the gate has an environment, from the policy of that environment: of each rule the stricter one. The request can make them stricter; rules that are weaker are refused with `weaker_than_policy`. If the policy of the environment requires a subject, or checks that all have passed, and the request lacks them, it is refused at `/subject` or `/evidence/checks`. A gate keeps its rules: later changes of the policies do not affect it. A pending gate of the same execution (or project), name and environment with another subject becomes `cancelled`, and `superseded_by` names the new one: approvals never carry over. With the same subject it is refused with `gate_open`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:open`.
         */
        post: operations["openGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/gates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the gates of a project
         * @description Newest first. A response has about 2 MiB of evidence at most: it can have fewer gates than `limit`, and its `Link` then leads to the next ones.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:read` or `gates:open`.
         */
        get: operations["listGates"];
        put?: never;
        /**
         * Open a gate without an execution
         * @description Nothing waits for its decision: `execution_id` is null, and so are `execution` and `requirement` in its events. Rules come from the gate policy of the workspace and, if the gate has an environment, from the policy of that environment: of each rule the stricter one. The request can make them stricter; rules that are weaker are refused with `weaker_than_policy`. If the policy of the environment requires a subject, or checks that all have passed, and the request lacks them, it is refused at `/subject` or `/evidence/checks`. A gate keeps its rules: later changes of the policies do not affect it. A pending gate of the same execution (or project), name and environment with another subject becomes `cancelled`, and `superseded_by` names the new one: approvals never carry over. With the same subject it is refused with `gate_open`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:open`.
         */
        post: operations["openProjectGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a gate
         * @description With all of its evidence: lists and events leave out `evidence.artifacts` and shorten `evidence.summary` to 500 characters. To compute `binding`, take the seven values from this response. Whether one may go on with what the gate is about says `GET /api/v1/gates/{gate_id}/clearance`: an approval may be revoked, or held back. With `Prefer: wait=N` a pending gate is returned within a second of its decision, or after N seconds as it is then.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:read` or `gates:open`.
         */
        get: operations["getGate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/clearance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether one may go on with what a gate is about
         * @description Ask this, and not only the `status` of the gate, before you do what it is about: an approval may be revoked, held back by a freeze, or depend on other gates of the same execution and environment.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:read` or `gates:open`.
         */
        get: operations["getGateClearance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/effects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what the approval of a gate will do
         * @description The hooks that it triggers, as they are now: enabled ones with `trigger_on: gate_approved` whose filter accepts the approved gate, and whose environment is the same as the gate has, if it has one. Once the gate is decided, only `running` remains and, while a freeze holds back what the approval has triggered, `held_until`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:read` or `gates:open`.
         */
        get: operations["getGateEffects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a gate
         * @description Each person approves once, but if approvals that count again are enough: then the caller decides, and the new comment, answers and proof replace the earlier ones. While approvals are missing the gate stays `pending` and `gate.approval_added` is emitted. Where the gate names groups, only their members approve, and each of them counts for one rule: the gate is approved as soon as its approvals fill all rules and there are as many as required. Approvals of people who have since lost the role, or left the group or the organization, stay on record with `counts: false`; that is evaluated at each decision. The last approval emits `gate.approved`, which triggers the hooks with `trigger_on: gate_approved`: if the gate has an environment, only those of this environment, and only once no other gate of its execution and environment is pending: the gate that is approved last triggers them. If the gate has a subject, `binding` says which one the approver has seen; another one is refused with `subject_changed`. If `rules.require_passkey` is true, an `assertion` is required (`passkey_required`).
         *
         *     Requires the role `admin` in the workspace or, if the gate names groups, to be in one of them and a member of the workspace. Personal tokens need the scope `decide`. Service accounts cannot do this.
         */
        post: operations["approveGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a browser needs to confirm a decision with a passkey
         * @description For the `assertion` of `approve` or `override`. The challenge is random, works once (also if the assertion is refused) and within 5 minutes, and is bound to this gate and its `binding`, the decision, the answers, the caller and the session. Rejecting and requesting changes need none.
         *
         *     Requires the role `admin` in the workspace or, if the gate names groups, to be in one of them and a member of the workspace. Personal tokens need the scope `decide`. Service accounts cannot do this.
         */
        post: operations["getGateChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a gate
         * @description One rejection decides the gate: of those who can approve it, or of an admin of the workspace. Its execution, if it has one, fails, and the other pending gates of the execution become `cancelled`.
         *
         *     Requires the role `admin` in the workspace or, if the gate names groups, to be in one of them and a member of the workspace. Personal tokens need the scope `decide`. Service accounts cannot do this.
         */
        post: operations["rejectGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a gate
         * @description Withdraws a pending gate: it becomes `cancelled`, and its execution is `running` again once no other gate of it is pending. Nothing is emitted.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:open`.
         */
        post: operations["cancelGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/request-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request changes
         * @description Decides the gate without failing its execution, which is `running` again once no other gate of it is pending. An agent reads the `comment`, makes the changes and opens the next gate. After 20 requests in a row at gates of one execution and name, opening another is refused with `gate_limit_reached`. An earlier approval that waited for this gate triggers nothing: the next gate does. Emits `gate.changes_requested`.
         *
         *     Requires the role `admin` in the workspace or, if the gate names groups, to be in one of them and a member of the workspace. Personal tokens need the scope `decide`. Service accounts cannot do this.
         */
        post: operations["requestGateChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/override": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Override a gate
         * @description Approves a pending gate regardless of what it still requires: `decided_via` is `override`, and `comment` is the reason. Emits `gate.approved`, which triggers hooks as any approval, and `gate.overridden`. Freezes do not hold back what it triggers, a completed workflow that it approves, and what another gate of the same execution, environment and subject triggers that was pending at that time. Everyone who could have approved the gate is notified, in the app and by mail. Another owner or admin of the organization has to review it; `gate.review_due` is emitted if no one has within 24 hours. If `rules.require_passkey` is true, an `assertion` is required (`passkey_required`).
         *
         *     Requires a session and the role `admin` in the organization; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["overrideGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review an override
         * @description Records that another owner or admin of the organization than the one who overrode the gate has looked at it.
         *
         *     Requires a session and the role `admin` in the organization; personal tokens are rejected. Service accounts cannot do this.
         */
        post: operations["reviewGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an approval
         * @description For admins of the workspace, and for those who approved the gate. The status stays `approved`; `revoked_at` says that the approval is no longer valid. After the response nothing is sent because of it but what was in flight: its waiting dispatches become `cancelled` with the error `approval_revoked`. `revoked_in_flight` names the dispatches that may still arrive. Cancelled ones cannot be redelivered (`approval_required`), and `recover` leaves them out. Emits `gate.revoked`.
         *
         *     Requires the role `member` in the workspace. Personal tokens need the scope `decide`. Service accounts cannot do this.
         */
        post: operations["revokeGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gates/{gate_id}/attestation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the attestation of a gate
         * @description A signed statement that the gate was approved, which can be verified without this service: see [Verify before you deploy](/docs/verify). A gate with a subject gets one within seconds of its approval, and this operation answers 404 until then.
         *
         *     The envelope is DSSE, its payload an in-toto Statement v1 with the predicate `https://in-toto.io/attestation/svr/v0.1`. `properties` says what was verified: `SIGNALBOX_APPROVED`, `SIGNALBOX_APPROVALS_<n>` (the approvals that count), `SIGNALBOX_ENVIRONMENT_<name>`, and where it is true `SIGNALBOX_NO_SELF_APPROVAL`, `SIGNALBOX_PASSKEY` (every approval that counts has one) and `SIGNALBOX_OVERRIDE`. `signalbox`, next to them, has the gate, its binding, the approvals, and the place of its `gate.approved` in the audit log.
         *
         *     An attestation stays valid after the approval is revoked, because what was signed cannot be taken back. Deployers therefore ask `verify`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:read`.
         */
        get: operations["getGateAttestation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/attestations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attestations of a project
         * @description Newest first, of all environments.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `gates:read`.
         */
        get: operations["listAttestations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify that something may be deployed
         * @description Allowed only if a gate of the environment for exactly this digest is approved and not revoked, the rules of the gate hold as they were when it was decided (of groups, the number of approvals is counted again), its attestation verifies, and no freeze of the environment holds (a gate that was overridden passes freezes). Of several gates, the newest approved one that is not revoked decides. Everything else is denied, with the reasons. It changes nothing, and its response is never replayed: `Idempotency-Key` has no effect.
         *
         *     Requires the role `member` in the workspace. A personal token with the scope `read` suffices. A service account needs the scope `gates:read`.
         */
        post: operations["verifyDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the signing keys of an organization
         * @description Newest first, with retired ones: what they have signed stays valid. An organization gets its first key with its first attestation, or by the first rotation. Keep the keys where you verify, so that you need not ask this service for them.
         *
         *     Requires the role `member` in the organization. A service account needs the scope `gates:read`.
         */
        get: operations["listSigningKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{org_id}/signing-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing key
         * @description A new key signs from now on, and attestations that are missing are signed with it. The private half of the old key is deleted; its public half stays in the list. An organization without a key gets its first one.
         *
         *     Requires the role `owner` in the organization. Service accounts cannot do this.
         */
        post: operations["rotateSigningKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/deployment-hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deployment hooks of a project
         * @description Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["listDeploymentHooks"];
        put?: never;
        /**
         * Create a deployment hook
         * @description A dispatch is a POST request with a JSON body. It is retried until the receiver responds with 2xx: up to 9 attempts over about 28 hours, each with a timeout of 15 seconds. A 410 response disables the hook; the header `X-Signalbox-Control: stop` on any other response ends the dispatch. Redirects are not followed. `secret` and the values of `headers` are write-only. If `secret` is omitted, the service generates one (`whsec_` and 32 random bytes in base64), which only this response shows; with `"secret": null` dispatches are not signed. With `"signature": "ed25519"` there is no secret: the service makes a key pair, shows `public_key`, and `webhook-signature` contains `v1a,` and the signature of `id.timestamp.body` in base64. `webhook-id` and `webhook-timestamp` are sent in either case. Special-purpose addresses (loopback, private, metadata, …) are rejected here and again when connecting.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["createDeploymentHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deployment hook
         * @description Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["getDeploymentHook"];
        /**
         * Update a deployment hook
         * @description Pending dispatches are sent to the updated hook with their original payload; disabling the hook cancels them. A payload with template secrets is not sent to another scheme, host or port: its dispatch fails with `secrets_of_other_origin`. `headers` are replaced as a whole. `********` keeps the stored secret, or the stored value of that header. If the new `url` has another scheme, host or port, stored secrets are not kept: send `secret` and the values of `headers` again, or clear them with `null`. A new `secret` applies at once; to keep the old one valid for some time, use `rotate-secret`. `signature` cannot be changed; a hook with `ed25519` has no `secret` to set. Out of an `environment` that requires approved gates or has freezes, only people move a hook (`person_required`).
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateDeploymentHook"];
        post?: never;
        /**
         * Delete a deployment hook and its dispatches
         * @description A request in flight is not aborted, and its result is not recorded.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteDeploymentHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a hook's secret
         * @description Generates a new secret (`whsec_` and 32 random bytes in base64), which only this response shows. For `overlap_seconds` dispatches are signed with both secrets, so that receivers can switch at any time: `X-Signalbox-Signature` uses the new secret, `X-Signalbox-Signature-Previous` the old one, and `webhook-signature` contains both signatures. If the hook had no secret, its dispatches are signed from now on. A secret without the prefix `whsec_` requires the raw mode of a Standard Webhooks library. For the signature `ed25519` it makes a new key pair: the response has no `secret`, `public_key` is the new one, and `webhook-signature` contains the signatures of both private keys.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["rotateDeploymentHookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Diagnose a rejected request
         * @description Takes a request as the receiver got it, and reports which verification step fails:
         *
         *     - `signature_form`: The signature headers are present and well-formed.
         *     - `key`: The signatures were made with this hook's secret or private key.
         *     - `body`: The body is identical to the one that was sent.
         *     - `id_and_time`: `webhook-id` and `webhook-timestamp` are the signed values.
         *     - `clock`: The request was signed within the last 300 seconds.
         *     - `old_secret`: The secret or private key is the current one, or the previous one during a rotation.
         *
         *     It changes nothing, and reveals neither a secret, a private key nor a valid signature.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        post: operations["verifyDeploymentHookRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview what a hook sends
         * @description Shows the request that the hook would send for the newest such event of its project (a `test.ping` or `manual.trigger`: of the hook), or for a sample if there is none, with the next `sequence`. `body_template` and `filter` are previewed instead of those of the hook, so that changes can be tried first. `failed_condition` says which condition of the filter leaves the event out. Nothing is sent or stored.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        post: operations["previewDeploymentHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends a `test.ping` with a single attempt, also if the hook is disabled or paused. The state of the hook does not change. With `Prefer: wait=10` the response contains the outcome.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["testDeploymentHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger a deployment manually
         * @description Sends a `manual.trigger`. It gets the next `sequence` of the hook and is retried like every dispatch. It is sent in a freeze too. If the policy of the environment requires an approved gate (`gate_required`), it takes an `override` with a reason, by an admin of the organization, signed in or with a personal token of the scope `decide`; the reason is shown on the dispatch and audited. With `Prefer: wait=10` the response contains the outcome, if it is known by then.
         *
         *     Requires the role `admin` in the workspace. A service account needs the scope `hooks:trigger`.
         */
        post: operations["triggerDeploymentHook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/deployment-rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a rollback
         * @description Emits `deployment.rollback` and sends it to every enabled hook of the project, whatever its environment. The list is empty if no hook is enabled. `Prefer: wait` waits for all dispatches.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["rollbackDeployment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver unsuccessful dispatches
         * @description Redelivers the oldest 10,000 failed or cancelled dispatches since `since` (and before `until`), each payload once. This includes superseded and expired dispatches and those created while the service had disabled the hook, but no `test.ping`. Payloads that have succeeded since, or are pending again, are left out, so a second call adds nothing; so are those that lack an approval (`not_approved`, `approval_revoked`, or what the policy of the environment requires now). `Prefer: wait` has no effect.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["recoverDispatches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/dispatches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the dispatches of a hook
         * @description Requires the role `member` in the workspace. A service account needs the scope `dispatches:claim` or `hooks:trigger` or `rollouts:report`.
         */
        get: operations["listDispatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dispatches/{dispatch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dispatch with its payload and attempts
         * @description Requires the role `member` in the workspace. A service account needs the scope `dispatches:claim` or `hooks:trigger` or `rollouts:report`.
         */
        get: operations["getDispatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dispatches/{dispatch_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a finished dispatch
         * @description Creates a dispatch with the same payload, `sequence` and `webhook-id` as the original, so that a receiver can tell whether it was already processed. `redelivery_of` is the id of the original. A redelivery supersedes no other dispatch. A payload with template secrets is sent only to the scheme, host and port for which they were stored: if the `url` of the hook has another one now, the redelivery is rejected (`invalid_transition`). Trigger the hook instead, which makes a new payload. What lacks an approval that the policy of the environment requires is rejected (`approval_required`).
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["redeliverDispatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dispatches/{dispatch_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a pending dispatch now
         * @description Makes the next attempt without waiting for `next_attempt_at`. `Prefer: wait` waits until the dispatch is finished.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["retryDispatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dispatches/{dispatch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a dispatch
         * @description A waiting dispatch becomes `cancelled`. A request in flight cannot be recalled: the dispatch stays `pending`, gets no further attempt, and becomes `succeeded` if this attempt succeeds, else `cancelled`.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["cancelDispatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dispatches/{dispatch_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the outcome of the deployment
         * @description For dispatches of hooks with `report_within_seconds`. The bearer token is a token of a user, or the `X-Signalbox-Report-Token` that the receiver got, which is valid only for this request, until 7 days after `deadline_at`; while there is no deadline, until 7 days after the dispatch was made. With it, `Idempotency-Key` is ignored.
         *
         *     The first `succeeded` or `failed` stands: the same again returns 200 and changes nothing, anything else is rejected. `in_progress` may be repeated; each moves `deadline_at`, and with it the end of the token. A rollout that is `unknown` takes any report. A report may arrive before the delivery is recorded. A dispatch that was never delivered keeps the state `awaiting` without a deadline, and still takes reports. Every redelivery is a dispatch with a rollout and a token of its own. If its body contains the report URL or token of the first dispatch, a report with that token is recorded for the oldest of these dispatches that was delivered and has no outcome yet, or else for the newest redelivery; the response shows that dispatch.
         *
         *     Members of the workspace see the texts. In `version` and `description` the secrets of the hook, the values of its headers and all tokens of Signalbox are masked; a `url` that contains one is rejected.
         *
         *     The body may also be a form (`curl -d state=succeeded -d version=v1.5.0`), and JSON may have any media type. A field with an empty text counts as absent.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `rollouts:report`.
         */
        post: operations["reportRollout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/pull-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the pull token of a hook
         * @description For hooks with the mode `pull`. The token claims and acknowledges the dispatches of this hook, and nothing else. Only this response shows it; the token before stops working.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["createPullToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deployment-hooks/{hook_id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim due dispatches
         * @description For hooks with the mode `pull`; the bearer token is the pull token of the hook, or a token of an admin. Leases due dispatches to the caller, those that have been due longest first, until `lease_until`; meanwhile no one else gets them. Each claim is an attempt. Acknowledge it before the lease ends: afterwards the attempt counts as failed (`lease_expired`), and the dispatch can be claimed again at once. With `wait` the response comes as soon as a dispatch is due; the list is empty if there is none until then. A lease cannot be extended.
         *
         *     Requires the role `admin` in the workspace. A service account needs the scope `dispatches:claim`.
         */
        post: operations["claimDispatches"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dispatches/{dispatch_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge a claimed dispatch
         * @description Ends a lease, with the `lease_until` of its claim. The bearer token is the pull token of the hook, or a token of an admin. `succeeded` and `failed` finish the dispatch. `retry` makes it due again as the retry schedule says, unless this was its last attempt; a `test.ping` has only one. The same acknowledgement again returns the dispatch and changes nothing. In `detail` the secrets of the hook and all tokens of Signalbox are masked. The body may also be a form.
         *
         *     Requires the role `admin` in the workspace. A service account needs the scope `dispatches:claim`.
         */
        post: operations["acknowledgeDispatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the environments of a project and what runs there
         * @description By chain (`promotes_from`), then by name: every environment that a hook with `report_within_seconds` names, or that has a rollout. `current` is the rollout that reported success last, `previous` the one before it, `latest` the one that was reported last, in whatever state. The four figures are those of DORA over the last 30 days; each is null without data. `candidate` is what may come here next: the subject whose run in the environment before began last.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read` or `rollouts:report`.
         */
        get: operations["listEnvironments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/environments/{environment}/rollouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rollouts of an environment
         * @description Newest first, by `at`. A rollout that is reported comes first again: a walk that has passed its new place does not see it. An unknown environment returns an empty page. Encode the name in the path, `/` as `%2F`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read` or `rollouts:report`.
         */
        get: operations["listRollouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/environments/{environment}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the policy of an environment
         * @description 404 before the first `PUT`, which makes it. Encode the name in the path, `/` as `%2F`.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["getEnvironmentPolicy"];
        /**
         * Create or update the policy of an environment
         * @description The environment needs no hook yet. Fields that are weaker than the policy of the workspace are refused with `weaker_than_policy`; if the policy of the workspace becomes stricter later, the stricter one counts. With `require_passkey`, `decide_via` must include `api` or `app`: no one could approve otherwise (`not_allowed`).
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateEnvironmentPolicy"];
        post?: never;
        /**
         * Delete the policy of an environment
         * @description New gates then follow the policy of the workspace alone.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteEnvironmentPolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/dual-track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comparisons of a project
         * @description Newest first.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["listComparisons"];
        put?: never;
        /**
         * Create a comparison
         * @description A track consists of all executions of the requirement `work_item_id` with the same `graph_id`. Creating a comparison does not run it. Both agents can be the same.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        post: operations["createComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dual-track/{comparison_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a comparison
         * @description Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getComparison"];
        put?: never;
        post?: never;
        /**
         * Delete a comparison
         * @description Possible in every state.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteComparison"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dual-track/{comparison_id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare the two tracks
         * @description `created`, `compared` or `failed` → `comparing`; the worker then sets `compared` or `failed`. An earlier `result` is removed. With `Prefer: wait=20` the response contains the outcome. Unfinished tracks can be compared; both are read in one snapshot.
         *
         *     **Figures of a track.** Cost and duration: the sum of its executions. Metrics: those of the execution that completed or failed last. Retries: those it reports, plus the number of executions − 1. Gates: those of all executions, except cancelled ones. A track is completed if its newest execution that was not cancelled is completed.
         *
         *     **Metrics judge.** Evidence first: a track that is completed wins over one that is not; then one with all gates approved; then one with all tests passing (gates and tests only if both tracks have some). `confidence` is then 1. Otherwise weights decide: `tests_pass_rate` .40, `gate_approval_rate` .25, `cost` .15, `duration` .10, `retries` .05, `change_size` .05. If higher is better, the figure is the score; if lower is better, the score is min(a, b) / x. A criterion that is missing on either side is dropped and the weights are rescaled; `coverage` is the remaining weight. A difference below 0.05 or a coverage below 0.5 is a tie.
         *
         *     **Model judge**, if the operator configured one: it sees the tracks in both orders, without the names of the agents; if the two answers disagree, the result is a tie. Its cost is charged to the budget. If it fails, or the budget is exhausted, the metrics judge decides and `judge.fallback_reason` contains the reason; the operator can configure the comparison to fail instead.
         *
         *     The recommendation never sets `winner`.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        post: operations["compareTracks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dual-track/{comparison_id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a comparison
         * @description `created`, `compared` or `failed` → `decided`. Also possible without running the comparison. Cannot be changed later.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        post: operations["decideComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/dual-track/{comparison_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a comparison
         * @description Every state except `decided` and `cancelled` → `cancelled`. The outcome of a running comparison is discarded; the cost of the model remains charged.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        post: operations["cancelComparison"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/notification-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notification channels of a workspace
         * @description Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["listNotificationChannels"];
        put?: never;
        /**
         * Create a notification channel
         * @description A channel receives the events that it subscribes to, in the format of its type:
         *
         *     - `slack`: Block Kit
         *     - `teams`: an Adaptive Card
         *     - `feishu`: an interactive card
         *     - `webhook`: the [envelope](/docs/events), signed like the dispatches of deployment hooks; `webhook-id` and `X-Signalbox-Delivery` are the id of the log entry
         *     - `email`: HTML and text
         *
         *     A Slack channel with a `bot_token` posts one thread per execution and keeps its root up to date; see [Slack](/docs/slack). Its log also contains updates caused by events that it does not subscribe to.
         *
         *     Secrets (`webhook_url`, `bot_token`, `secret`, `headers`, `smtp_password`) are write-only; of an object, the values are. Outgoing requests, including those to `smtp_host`, follow the same rules as for deployment hooks. With `smtp_user`, mail is sent only over TLS, except to addresses that the operator allowed. All `to_addresses` are recipients of one message.
         *
         *     A message is attempted up to 6 times, with delays of 5 s, 30 s, 2 min, 10 min and 1 h. A longer `Retry-After` is respected and delays all pending messages of the channel. Permanent rejections are not retried. A channel is disabled when all attempts failed for a day (at least 20), or at once when the receiver responds with 410.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["createNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification channel
         * @description Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["getNotificationChannel"];
        /**
         * Update a notification channel
         * @description `config` is merged field by field. Disabling the channel cancels its pending messages; otherwise they are sent to the updated channel. Enabling it again, or changing its config, resets its count of failures.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateNotificationChannel"];
        post?: never;
        /**
         * Delete a notification channel, its subscriptions and its log
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteNotificationChannel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a notification channel
         * @description Sends a `test.ping` with a single attempt, also if the channel is disabled. The state of the channel does not change. With `Prefer: wait=10` the response contains the outcome. Teams only confirms that it accepted a message; check that it appears there.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["testNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-channels/{channel_id}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the subscriptions of a notification channel
         * @description Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["listSubscriptions"];
        put?: never;
        /**
         * Subscribe a notification channel to events
         * @description An event that matches several subscriptions of a channel is sent once. Events of the organization as a whole (budget, members, runtimes) match only subscriptions without `filter_project_id`.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/subscriptions/{subscription_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * @description Pending messages that match no other subscription of the channel become `cancelled`.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-channels/{channel_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the log of a notification channel
         * @description Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        get: operations["listNotificationLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/api-description": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the API description of a project
         * @description The OpenAPI document in its original form and media type; 404 if there is none.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read`.
         */
        get: operations["getApiDescription"];
        /**
         * Set the API description of a project
         * @description The body is an OpenAPI 3.0 or 3.1 document in JSON or YAML, at most 1 MiB. The deliverable `api_docs` is generated from it. Errors contain pointers into the document. References to other documents are rejected. Maximum nesting: 128 levels; at most 100,000 values; maximum size after expanding YAML aliases: 4 MiB; at most 10 seconds to check it.
         *
         *     Requires the role `member` in the workspace. Service accounts cannot do this.
         */
        put: operations["updateApiDescription"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/deliverables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliverables of a project
         * @description Newest first, without their `content`.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read` or `deliverables:write`.
         */
        get: operations["listDeliverables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/deliverables/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a document
         * @description The worker generates the document from one snapshot of the project; `status` changes from `generating` to `draft` or `failed`. With `Prefer: wait=10` the response contains the finished document. The same data always produces the same `content`; `source` contains the time and the data used. No model writes in a document. `requirement_id` limits the document to one requirement. At most 200 documents per project can be in progress.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `deliverables:write`.
         */
        post: operations["generateDeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliverables/{deliverable_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deliverable or its document
         * @description `Accept: application/json` (the default) returns the record; `text/markdown` and `text/html` return the document, HTML as one self-contained page.
         *
         *     Requires the role `member` in the workspace. A service account needs the scope `work:read` or `deliverables:write`.
         */
        get: operations["getDeliverable"];
        put?: never;
        post?: never;
        /**
         * Delete a deliverable
         * @description Possible in every state. Its version number is not reused.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        delete: operations["deleteDeliverable"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliverables/{deliverable_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a draft
         * @description A published changelog marks a release: later changelogs list the changes up to it under its version. API documentation lists what changed since the last published one.
         *
         *     Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["publishDeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliverables/{deliverable_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a draft or a published document
         * @description Requires the role `admin` in the workspace. Service accounts cannot do this.
         */
        post: operations["archiveDeliverable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's notifications
         * @description Newest first, from all organizations. If one requires a second factor or a sign-on which the caller lacks, `title`, `body` and `data` of its notifications are withheld.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark all notifications as read
         * @description With `before`, only notifications created up to and including that time: send the `created_at` of the newest one shown to the user, so that notifications arriving meanwhile stay unread.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["markAllNotificationsRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/{notification_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a notification as read
         * @description Idempotent: `read_at` does not change when repeated.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        post: operations["markNotificationRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get notification preferences
         * @description By default, e-mail is on, desktop is off, and both lists contain every type.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["getNotificationPreferences"];
        /**
         * Update notification preferences
         * @description Applies to new notifications and to mails that were not sent yet.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        put: operations["updateNotificationPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notifications/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream notifications
         * @description Server-sent events. The stream ends with the session or personal token that it was opened with.
         *
         *     - `notification`: a new notification, with the same fields as in the list. With `desktop_enabled`, unread ones also have `"desktop": true`.
         *     - `unread_count`: `{ "unread_count": n }`, on connecting and whenever the number changes.
         *     - a comment every 15 seconds as a heartbeat.
         *
         *     Every event has an `id`. After a disconnect, send the last one as `Last-Event-ID` to receive all later notifications exactly once. Without the header, or with an unknown id, the stream starts with new notifications.
         *
         *     The browser's `EventSource` cannot send a token, so read the stream with `fetch`:
         *
         *     ```js
         *     let last = ''
         *     for (;;) {
         *       try {
         *         const headers = { Authorization: `Bearer ${accessToken}`, ...(last && { 'Last-Event-ID': last }) }
         *         const response = await fetch('/api/v1/notifications/stream', { headers })
         *         if (response.status === 401) break // sign in again, or refresh the token
         *         let text = ''
         *         for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
         *           text += chunk
         *           const blocks = text.split('\n\n')
         *           text = blocks.pop()
         *           for (const block of blocks) {
         *             const { id, event, data } = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)))
         *             if (id) last = id
         *             if (event) show(event, JSON.parse(data))
         *           }
         *         }
         *       } catch {}
         *       await new Promise((resolve) => setTimeout(resolve, 2000))
         *     }
         *     ```
         *
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["streamNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search by name
         * @description Finds organizations, projects, requirements, gates and deployment hooks of all your organizations, within what you may see: nothing in workspaces in which you have no role. All words of `q` must occur, each as the beginning of a word of the name or title. Case, accents and compatibility forms make no difference (`muller` finds `Müller`, `lodz` finds `Łódź`), nor does the `v` of a version (`1.2.3` finds `v1.2.3`); in scripts without spaces a word is found from any of its characters on. Exact numbers and names come first, then names that begin with `q`, then the newest.
         *
         *     Requires a signed-in user. Service accounts cannot do this.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unsubscribe from one type of mail
         * @description The target of the `List-Unsubscribe` header, for one-click unsubscribing (RFC 8058). The body is ignored. Removes the type of that mail from `email_types`. Idempotent.
         *
         *     No token required.
         */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/slack/interactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a click in Slack
         * @description The *Interactivity Request URL* of the operator's Slack app. Slack posts a form with the field `payload`, signed with the signing secret of the app (`X-Slack-Signature`, `X-Slack-Request-Timestamp`). A click on *Approve* or *Reject* decides the gate as the user who is linked to the Slack account. The response is 200 whatever comes of it: decisions and refusals are shown in Slack. See [Slack](/docs/slack).
         *
         *     No token required.
         */
        post: operations["receiveSlackInteraction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token
         * @description The token endpoint of OAuth (RFC 6749). The body is a form with `grant_type`:
         *
         *     - `urn:ietf:params:oauth:grant-type:jwt-bearer` (RFC 7523): a build signs in as a service account, with a token of its CI system in `assertion`. `service_account` is the id of the account, one of whose trusts must accept the token. `scope` can name some of the scopes of the account. Each assertion is good for one sign-in.
         *     - `urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693): the same, with the token in `subject_token` and `subject_token_type` `urn:ietf:params:oauth:token-type:jwt` or `…:id_token`.
         *     - `client_credentials`: `client_id` is the id of a service account, and `client_secret` one of its keys, in the form or by HTTP Basic.
         *     - `urn:ietf:params:oauth:grant-type:device_code` (RFC 8628): a device asks for the token that a person has allowed, with `device_code` and `client_id`.
         *     - `authorization_code`: a client that a person has allowed at `/oauth/authorize` gets its tokens, with `code`, `client_id` and `code_verifier` (PKCE, RFC 7636). `redirect_uri` and `resource` (RFC 8707) can be left out; if they are sent, they must be those that it asked with. The code works for 60 seconds and once: a second use ends what the first gave.
         *     - `refresh_token`: the same client gets the next tokens, with `refresh_token`, `client_id` and, for less, `scope`. Each refresh token works once and for 30 days. Within 10 seconds it works again, for two windows that refresh at once; a later use ends the access of the client, since two have it. What `scope` asks for beyond `read` and `write`, or beyond what the person has allowed, is left out; the response names what was granted.
         *
         *     Why an assertion was refused is only in the audit log of the organization (`service_account.sign_in_refused`): the response is always the same `invalid_grant`. `temporarily_unavailable` with status 503 means that the issuer does not answer.
         *
         *     No token required.
         */
        post: operations["requestToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/device_authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in a device
         * @description Starts the device flow (RFC 8628). The body is a form: `client_id` is the name of the client, which may be any; `scope` is a list of `read` (the default) and `write`, from which anything else is left out; `device_name` names the device. The person opens `verification_uri`, types in `user_code` within 10 minutes, and allows or denies. The device asks at `/oauth/token` every `interval` seconds, and gets a personal token that is named after it and expires after 90 days.
         *
         *     No token required.
         */
        post: operations["authorizeDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the access of a client
         * @description RFC 7009. The body is a form: `token` is an access or a refresh token of a client that a person has allowed, and `client_id` the client. All tokens that it has from that person's consent stop working. The answer is 200 also for a token that is unknown. Other tokens are revoked by their owners: `unsupported_token_type`.
         *
         *     No token required.
         */
        post: operations["revokeClientToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the OAuth endpoints
         * @description RFC 8414.
         *
         *     No token required.
         */
        get: operations["getOAuthServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe who issues tokens for the API
         * @description RFC 9728.
         *
         *     No token required.
         */
        get: operations["getOAuthResourceMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe who issues tokens for the tools of agents
         * @description RFC 9728. A 401 of `/mcp` refers to it.
         *
         *     No token required.
         */
        get: operations["getMcpResourceMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tools for agents (Model Context Protocol)
         * @description Streamable HTTP, without sessions: revision 2026-07-28 of the Model Context Protocol, and clients of the revisions from 2025. The body is a JSON-RPC message. The tools call the operations of this API with the token of the request: a personal token, the access token of a client that a person has allowed, or a key or access token of a service account. With the scope `read` there are the tools that read. No tool decides a gate. See [Agents](/docs/agents).
         *
         *     Requires a signed-in user.
         */
        post: operations["sendMcpMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness probe
         * @description No token required.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Readiness probe
         * @description 200 if the database is available and migrated; 503 otherwise, and while the process shuts down.
         *
         *     No token required.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prometheus metrics
         * @description Prometheus text format with OpenTelemetry names: requests, statements, the job queue, dispatches, channels and processes. Every API process returns the metrics of all processes, including workers, at most 15 seconds old. Requires `METRICS_TOKEN` as bearer token; if it is not set, metrics are available only from loopback and without a proxy.
         *
         *     No token required.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "execution.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * execution.started
         * @description An execution is started.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "execution.started";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            };
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "execution.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * execution.completed
         * @description An execution is completed.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "execution.completed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            };
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "execution.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * execution.failed
         * @description An execution fails, or one of its gates is rejected or expires.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "execution.failed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            };
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "execution.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * execution.cancelled
         * @description An execution is cancelled.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "execution.cancelled";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            };
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "execution.over_budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * execution.over_budget
         * @description The cost of an execution exceeds its `max_cost_usd`; once for each execution. The execution continues.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "execution.over_budget";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            };
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workflow.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * workflow.completed
         * @description The last unfinished execution of a workflow graph ends, and the newest execution of every requirement in it that was not cancelled is completed.
         *
         *     Deployment hooks: Hooks with `trigger_on: workflow_done`.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "workflow.completed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        /** @description Deployment hooks only. */
                        hook?: {
                            id: string;
                            name: string;
                        };
                        /** @description Deployment hooks only. */
                        environment?: string;
                        /** @description Deployment hooks only. Null for a `test.ping`. */
                        sequence?: number | null;
                        data: {
                            graph_id: string;
                            executions: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            }[];
                            /** @description The requirements of the executions, by number. */
                            requirements: {
                                id: string;
                                number: number;
                                title: string;
                            }[];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.pending
         * @description A gate opens and waits for a decision.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.pending";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.approval_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.approval_added
         * @description A person approves a gate that requires further approvals.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.approval_added";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            approval: components["schemas"]["GateApproval"];
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.approved
         * @description A gate has all the approvals that it requires.
         *
         *     Deployment hooks: Hooks with `trigger_on: gate_approved`.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.approved";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        /** @description Deployment hooks only. */
                        hook?: {
                            id: string;
                            name: string;
                        };
                        /** @description Deployment hooks only. */
                        environment?: string;
                        /** @description Deployment hooks only. Null for a `test.ping`. */
                        sequence?: number | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            } | null;
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.rejected
         * @description A gate is rejected.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.rejected";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            } | null;
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.expiring
         * @description A gate is pending when 80% of the time to its expiry has passed; only gates that expire after 10 minutes or more.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.expiring";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.expired
         * @description A gate is pending at its expiry. Its execution fails.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.expired";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            } | null;
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.changes_requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.changes_requested
         * @description Changes are requested at a gate. Its execution is running again once no other gate of it is pending.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.changes_requested";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            } | null;
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.overridden": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.overridden
         * @description An owner or admin of the organization approves a gate regardless of what it still requires. `gate.approved` is emitted as well.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.overridden";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            } | null;
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.review_due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.review_due
         * @description A gate was overridden 24 hours ago, and the override has not been reviewed.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.review_due";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            } | null;
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gate.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * gate.revoked
         * @description The approval of a gate is revoked. Nothing more is sent because of it but what was in flight: `gate.revoked_in_flight` names the dispatches that may still arrive.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "gate.revoked";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            gate: components["schemas"]["Gate"];
                            /** @description Null for a gate without an execution. */
                            execution: {
                                id: string;
                                organization_id: string;
                                workspace_id: string;
                                project_id: string;
                                requirement_id: string;
                                graph_id: string;
                                agent: string;
                                runtime_id: string | null;
                                /** @enum {string} */
                                status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                                summary: string | null;
                                error: string | null;
                                cost_usd: number | null;
                                /** @enum {string} */
                                cost_from: "reports" | "telemetry";
                                reported_cost_usd: number | null;
                                max_cost_usd: number | null;
                                /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
                                usage: components["schemas"]["ModelUsage"][];
                                /** @description How many uses of models have no cost, because none was reported and no price was known. */
                                unpriced: number;
                                /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                                metrics: {
                                    [key: string]: number;
                                };
                                created_by: string;
                                actor: components["schemas"]["Actor"];
                                started_by: string | null;
                                started_at: string | null;
                                finished_at: string | null;
                                created_at: string;
                                updated_at: string;
                            } | null;
                            /** @description Null for a gate without an execution. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            } | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deployment.succeeded
         * @description A dispatch is delivered (except test.ping).
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "deployment.succeeded";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            dispatch: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            };
                            hook: {
                                id: string;
                                name: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deployment.failed
         * @description A dispatch fails for good (except test.ping).
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "deployment.failed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            dispatch: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            };
                            hook: {
                                id: string;
                                name: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deployment.rollback
         * @description A rollback is requested.
         *
         *     Deployment hooks: Every enabled hook of the project.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "deployment.rollback";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        /** @description Deployment hooks only. */
                        hook?: {
                            id: string;
                            name: string;
                        };
                        /** @description Deployment hooks only. */
                        environment?: string;
                        /** @description Deployment hooks only. Null for a `test.ping`. */
                        sequence?: number | null;
                        data: {
                            target_version: string;
                            reason: string | null;
                            environment: string | null;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rollout.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * rollout.started
         * @description The receiver of a dispatch first reports progress.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "rollout.started";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            dispatch: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            };
                            rollout: components["schemas"]["Rollout"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rollout.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * rollout.succeeded
         * @description The receiver of a dispatch reports that the deployment succeeded.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "rollout.succeeded";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            dispatch: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            };
                            rollout: components["schemas"]["Rollout"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rollout.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * rollout.failed
         * @description The receiver of a dispatch reports that the deployment failed.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "rollout.failed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            dispatch: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            };
                            rollout: components["schemas"]["Rollout"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rollout.mismatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * rollout.mismatch
         * @description The receiver of a dispatch reports that it deploys something else than what was approved, by digest. Once per digest.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "rollout.mismatch";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            dispatch: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            };
                            rollout: components["schemas"]["Rollout"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rollout.unknown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * rollout.unknown
         * @description The receiver of a dispatch has not reported an outcome in time. Once per dispatch.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "rollout.unknown";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            dispatch: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            };
                            rollout: components["schemas"]["Rollout"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "environment.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * environment.ready
         * @description A subject has run in the environment before for as long as the policy of `data.environment` requires (`soak_seconds`). Once per run.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "environment.ready";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            environment: string;
                            subject: components["schemas"]["GateSubject"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "environment.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * environment.blocked
         * @description The subject of dispatches that wait, or were to be sent, failed in the environment before, or was rolled back there: they are cancelled.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "environment.blocked";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            environment: string;
                            dispatches: {
                                id: string;
                                hook_id: string;
                                project_id: string;
                                /** @enum {string} */
                                event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                                environment: string;
                                /** @enum {string} */
                                status: "pending" | "succeeded" | "failed" | "cancelled";
                                attempt_count: number;
                                max_attempts: number;
                                next_attempt_at: string | null;
                                held_until: string | null;
                                response_status: number | null;
                                duration_ms: number | null;
                                error: {
                                    /** @description All codes are explained at `/docs/receivers`. */
                                    code: string;
                                    detail: string;
                                } | null;
                                sequence: number | null;
                                redelivery_of: string | null;
                                superseded_by: string | null;
                                rollout: components["schemas"]["Rollout"] | null;
                                override_reason: string | null;
                                created_at: string;
                                completed_at: string | null;
                            }[];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.added
         * @description A user becomes a member of the organization.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "member.added";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            member: components["schemas"]["OrganizationMember"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.removed
         * @description A member is removed or leaves, or the account is deleted.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "member.removed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            member: components["schemas"]["OrganizationMember"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.role_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.role_changed
         * @description A member's role changes, also by a transfer of ownership.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "member.role_changed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            member: components["schemas"]["OrganizationMember"];
                            /** @enum {string} */
                            from: "owner" | "admin" | "member";
                            /** @enum {string} */
                            to: "owner" | "admin" | "member";
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dual_track.compared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dual_track.compared
         * @description A comparison of two tracks is completed.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "dual_track.compared";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            comparison: components["schemas"]["Comparison"];
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dual_track.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dual_track.failed
         * @description A comparison of two tracks fails.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "dual_track.failed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            comparison: components["schemas"]["Comparison"];
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dual_track.decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dual_track.decided
         * @description A user decides which track wins.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "dual_track.decided";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            comparison: components["schemas"]["Comparison"];
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dual_track.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dual_track.cancelled
         * @description A comparison is cancelled.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "dual_track.cancelled";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            comparison: components["schemas"]["Comparison"];
                            /** @description The requirement that the event is about. */
                            requirement: {
                                id: string;
                                number: number;
                                title: string;
                            };
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deliverable.generated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deliverable.generated
         * @description A document is generated.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "deliverable.generated";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            deliverable: components["schemas"]["DeliverableSummary"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deliverable.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deliverable.failed
         * @description The generation of a document fails.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "deliverable.failed";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            deliverable: components["schemas"]["DeliverableSummary"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deliverable.published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deliverable.published
         * @description A document is published.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "deliverable.published";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            deliverable: components["schemas"]["DeliverableSummary"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deliverable.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * deliverable.archived
         * @description A document is archived.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "deliverable.archived";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            deliverable: components["schemas"]["DeliverableSummary"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.alert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * budget.alert
         * @description The spend of an organization or workspace exceeds its alert threshold. Once per month, and again after the limit or threshold is changed.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "budget.alert";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            budget: components["schemas"]["Budget"] | components["schemas"]["WorkspaceBudget"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "budget.exhausted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * budget.exhausted
         * @description The spend of an organization or workspace reaches its limit. As often as budget.alert.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "budget.exhausted";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            budget: components["schemas"]["Budget"] | components["schemas"]["WorkspaceBudget"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "runtime.online": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * runtime.online
         * @description A runtime is registered, or sends a heartbeat after it was offline.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "runtime.online";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            runtime: components["schemas"]["Runtime"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "runtime.offline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * runtime.offline
         * @description A runtime has not sent a heartbeat for `RUNTIME_OFFLINE_SECONDS` (default: 90).
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "runtime.offline";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            runtime: components["schemas"]["Runtime"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "hook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * hook.disabled
         * @description Signalbox disables a hook because its receiver fails.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "hook.disabled";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            hook: components["schemas"]["Hook"];
                            reason: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "hook.enabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * hook.enabled
         * @description A hook that Signalbox disabled is enabled again.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "hook.enabled";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            hook: components["schemas"]["Hook"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "channel.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * channel.disabled
         * @description Signalbox disables a notification channel because it fails.
         *
         *     Subscribed notification channels.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "channel.disabled";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        data: {
                            channel: components["schemas"]["NotificationChannel"];
                            reason: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "test.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * test.ping
         * @description A hook or a notification channel is tested.
         *
         *     Deployment hooks: The tested hook; `data` then holds `hook`. The test of a channel goes to that channel, with `channel`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "test.ping";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        /** @description Deployment hooks only. */
                        hook?: {
                            id: string;
                            name: string;
                        };
                        /** @description Deployment hooks only. */
                        environment?: string;
                        /** @description Deployment hooks only. Null for a `test.ping`. */
                        sequence?: number | null;
                        data: {
                            hook: components["schemas"]["Hook"];
                        } | {
                            channel: components["schemas"]["NotificationChannel"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "manual.trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * manual.trigger
         * @description A user triggers a hook.
         *
         *     Deployment hooks: The triggered hook.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id of the event, identical for all receivers. */
                        id: string;
                        /** @constant */
                        event: "manual.trigger";
                        created_at: string;
                        /** @description The page of what the event is about; null if there is none. */
                        url: string | null;
                        organization: {
                            id: string;
                            name: string;
                        };
                        workspace: {
                            id: string;
                            name: string;
                        } | null;
                        project: {
                            id: string;
                            name: string;
                        } | null;
                        /** @description Deployment hooks only. */
                        hook?: {
                            id: string;
                            name: string;
                        };
                        /** @description Deployment hooks only. */
                        environment?: string;
                        /** @description Deployment hooks only. Null for a `test.ping`. */
                        sequence?: number | null;
                        data: {
                            hook: components["schemas"]["Hook"];
                        };
                    };
                };
            };
            responses: {
                /** @description Received. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Problem
         * @description RFC 9457. `code` is stable; `detail` explains what to change.
         */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            instance?: string;
            /** @enum {string} */
            code: "malformed_json" | "malformed_encoding" | "incomplete_body" | "nested_too_deep" | "too_many_values" | "malformed_query" | "malformed_header" | "malformed_export" | "invalid_interaction" | "slack_not_added" | "slack_not_linked" | "sso_refused" | "unauthenticated" | "invalid_credentials" | "invalid_refresh_token" | "invalid_second_factor" | "invalid_ticket" | "invalid_signature" | "forbidden" | "read_only_token" | "insufficient_scope" | "session_required" | "person_required" | "second_factor_required" | "recent_sign_in_required" | "passkey_invalid" | "sso_required" | "sso_not_allowed" | "sso_groups_overage" | "sso_email_unverified" | "registration_closed" | "address_not_verified" | "self_approval" | "passkey_required" | "decision_not_allowed_here" | "not_found" | "invitation_not_found" | "method_not_allowed" | "not_acceptable" | "other_account" | "edited_meanwhile" | "already_exists" | "email_taken" | "invalid_transition" | "already_approved" | "identity_mismatch" | "sso_identity_conflict" | "identity_taken" | "sso_not_tested" | "managed_by_sso" | "domain_not_proven" | "domain_taken" | "domain_limit_reached" | "name_taken" | "group_in_use" | "already_member" | "already_owner" | "owner_cannot_be_removed" | "owner_role_fixed" | "owns_organizations" | "member_limit_reached" | "group_limit_reached" | "group_member_limit_reached" | "workspace_limit_reached" | "budget_exhausted" | "hook_limit_reached" | "hook_disabled" | "hook_paused" | "environment_frozen" | "approval_required" | "not_a_pull_hook" | "lease_lost" | "channel_limit_reached" | "subscription_limit_reached" | "generation_limit_reached" | "deliverable_not_ready" | "gate_limit_reached" | "gate_open" | "subject_changed" | "password_recently_reset" | "token_limit_reached" | "trust_limit_reached" | "service_account_limit_reached" | "key_limit_reached" | "passkey_limit_reached" | "idempotency_in_progress" | "link_expired" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "validation_failed" | "secrets_must_be_resent" | "not_a_member" | "idempotency_key_reused" | "invalid_token" | "rate_limited" | "invitation_limit_reached" | "internal" | "database_unavailable" | "secret_unreadable" | "too_busy" | "sso_unavailable" | "shutting_down";
            request_id: string;
            /** @description For 422, and for a 409 that one field causes: the fields, with JSON pointers. */
            errors?: {
                pointer: string;
                code: string;
                detail: string;
            }[];
            /** @description For `second_factor_required` at sign-in: the second factors of the account. */
            methods?: string[];
            /** @description For `sso_required` in an organization: the page on which to sign in. */
            sign_in_url?: string;
            /** @description For `second_factor_required` at sign-in: identifies the sign-in for 5 minutes. */
            ticket?: string;
        };
        /** User */
        User: {
            id: string;
            email: string;
            /** @description Whether the address is verified. Until then, other users cannot find the account by it. */
            email_verified: boolean;
            pending_email: string | null;
            name: string;
            avatar_url: string;
            created_at: string;
            updated_at: string;
        };
        /** Session */
        Session: {
            user: components["schemas"]["User"];
            /** @description A JWT. Send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Lifetime of the access token in seconds. */
            expires_in: number;
            /** @description Valid for 30 days and usable once; the response of the exchange contains the next one. */
            refresh_token: string;
        };
        /** LiveSession */
        LiveSession: {
            id: string;
            /** @description The `User-Agent` of the client when it signed in. */
            device: string;
            /** @description The address of the client when it signed in. */
            ip_address: string;
            created_at: string;
            /** @description Accurate to the minute. ISO 8601, UTC. */
            last_used_at: string;
            /** @description Whether this is the session of the request. */
            current: boolean;
        };
        /**
         * PasskeyAssertion
         * @description What `navigator.credentials.get()` returned, as JSON. The challenge comes from `POST /api/v1/gates/{gate_id}/challenge` for the same decision and answers. Required if `rules.require_passkey` is true.
         */
        PasskeyAssertion: {
            id: string;
            rawId?: string | null;
            type?: "public-key" | null;
            authenticatorAttachment?: string | null;
            clientExtensionResults?: {
                [key: string]: unknown;
            } | null;
            response: {
                /** @description With the challenge and the origin. */
                clientDataJSON: string;
                authenticatorData: string;
                signature: string;
                userHandle?: string | null;
            };
        };
        /** SecondFactors */
        SecondFactors: {
            /** @description What can complete a sign-in; empty without a second factor. */
            methods: ("totp" | "passkey" | "recovery_code")[];
            totp_created_at: string | null;
            recovery_codes_left: number;
        };
        /** TotpSetup */
        TotpSetup: {
            /** @description In base 32. */
            secret: string;
            /** @description What a QR code for the app contains. */
            uri: string;
            expires_at: string;
        };
        /** RecoveryCodes */
        RecoveryCodes: {
            /** @description Each completes one sign-in. Shown only in this response. */
            recovery_codes: string[];
        };
        /**
         * PasskeyRequestOptions
         * @description For `PublicKeyCredential.parseRequestOptionsFromJSON()` and `navigator.credentials.get()`.
         */
        PasskeyRequestOptions: {
            /** @description Random, for one answer within 5 minutes. */
            challenge: string;
            /** @description Milliseconds. */
            timeout: number;
            /** @description The host of `PUBLIC_URL`. */
            rpId: string;
            /** @description The passkeys of the user; empty: any discoverable one. */
            allowCredentials: {
                id: string;
                /** @constant */
                type: "public-key";
                transports?: string[];
            }[];
            /** @constant */
            userVerification: "required";
        };
        /** Passkey */
        Passkey: {
            id: string;
            name: string;
            created_at: string;
            last_used_at: string | null;
            /** @description Whether it is synchronized, so that it outlives its device. */
            backed_up: boolean;
        };
        /**
         * PasskeyCredential
         * @description What `navigator.credentials.create()` returned, as JSON (`RegistrationResponseJSON` of WebAuthn).
         */
        PasskeyCredential: {
            id: string;
            rawId?: string | null;
            type?: "public-key" | null;
            authenticatorAttachment?: string | null;
            clientExtensionResults?: {
                [key: string]: unknown;
            } | null;
            response: {
                /** @description With the challenge and the origin. */
                clientDataJSON: string;
                attestationObject: string;
                authenticatorData?: string | null;
                transports?: string[] | null;
                publicKey?: string | null;
                publicKeyAlgorithm?: number | null;
            };
        };
        /**
         * PasskeyCreationOptions
         * @description For `PublicKeyCredential.parseCreationOptionsFromJSON()` and `navigator.credentials.create()`.
         */
        PasskeyCreationOptions: {
            /** @description Random, for one answer within 5 minutes. */
            challenge: string;
            /** @description Milliseconds. */
            timeout: number;
            rp: {
                id: string;
                name: string;
            };
            user: {
                id: string;
                name: string;
                displayName: string;
            };
            pubKeyCredParams: {
                /** @constant */
                type: "public-key";
                alg: number;
            }[];
            /** @description The passkeys that the user has. */
            excludeCredentials: {
                id: string;
                /** @constant */
                type: "public-key";
                transports?: string[];
            }[];
            authenticatorSelection: {
                /** @constant */
                residentKey: "required";
                /** @constant */
                requireResidentKey: true;
                /** @constant */
                userVerification: "required";
            };
            /** @constant */
            attestation: "none";
        };
        /** ServiceIdentity */
        ServiceIdentity: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "service_account";
            organization_id: string;
            workspace_id: string | null;
            project_id: string | null;
            /** @description Those of the account and of its token. */
            scopes: ("work:read" | "executions:write" | "gates:open" | "gates:read" | "usage:write" | "rollouts:report" | "dispatches:claim" | "hooks:trigger" | "deliverables:write" | "audit:read")[];
        };
        /** SecurityLogEntry */
        SecurityLogEntry: {
            id: string;
            /** @enum {string} */
            action: "account.registered" | "sign_in.succeeded" | "sign_in.failed" | "session.ended" | "token.created" | "token.revoked" | "passkey.added" | "passkey.removed" | "passkey.refused" | "identity.linked" | "identity.unlinked" | "password.changed" | "password.refused" | "password.reset_requested" | "password.reset" | "email.verified" | "email.change_requested" | "email.change_withdrawn" | "email.changed" | "email.restored" | "second_factor.added" | "second_factor.removed" | "second_factor.requested" | "second_factor.refused" | "second_factor.reset_requested" | "second_factor.reset" | "recovery_codes.created" | "recovery_code.used";
            /** @description A description for people. */
            detail: string;
            device: string | null;
            ip_address: string | null;
            created_at: string;
        };
        /** Identity */
        Identity: {
            id: string;
            /** @enum {string} */
            provider: "slack" | "oidc";
            team_id: string | null;
            /** @description The id of the Slack user in it, or the `sub` at the OpenID provider. */
            external_id: string;
            issuer: string | null;
            organization_id: string | null;
            created_at: string;
        };
        /** Token */
        Token: {
            id: string;
            name: string;
            /**
             * @description `read` allows only requests that change nothing, `write` also changes, and `decide` also decisions of gates.
             * @enum {string}
             */
            scope: "read" | "write" | "decide";
            organization_id: string | null;
            expires_at: string | null;
            last_used_at: string | null;
            created_at: string;
            client_id: string | null;
        };
        /** NewToken */
        NewToken: {
            id: string;
            name: string;
            /**
             * @description `read` allows only requests that change nothing, `write` also changes, and `decide` also decisions of gates.
             * @enum {string}
             */
            scope: "read" | "write" | "decide";
            organization_id: string | null;
            expires_at: string | null;
            last_used_at: string | null;
            created_at: string;
            client_id: string | null;
            /** @description The token. Only this response contains it. Send it as `Authorization: Bearer …`. */
            token: string;
        };
        /** OrganizationToken */
        OrganizationToken: {
            id: string;
            name: string;
            /**
             * @description `read` allows only requests that change nothing, `write` also changes, and `decide` also decisions of gates.
             * @enum {string}
             */
            scope: "read" | "write" | "decide";
            organization_id: string | null;
            expires_at: string | null;
            last_used_at: string | null;
            created_at: string;
            client_id: string | null;
            user_id: string;
            user_name: string;
            user_email: string;
        };
        /**
         * Actor
         * @description Who did this. `system` is Signalbox itself, without an id.
         */
        Actor: {
            /** @enum {string} */
            type: "user" | "service_account" | "system";
            id: string | null;
            /** @description As it is now; of a deleted user or service account as it was. */
            name: string;
        };
        /** ServiceAccount */
        ServiceAccount: {
            id: string;
            organization_id: string;
            workspace_id: string | null;
            project_id: string | null;
            name: string;
            description: string | null;
            scopes: ("work:read" | "executions:write" | "gates:open" | "gates:read" | "usage:write" | "rollouts:report" | "dispatches:claim" | "hooks:trigger" | "deliverables:write" | "audit:read")[];
            enabled: boolean;
            last_used_at: string | null;
            last_used_address: string | null;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            updated_at: string;
        };
        /** ServiceAccountKey */
        ServiceAccountKey: {
            id: string;
            service_account_id: string;
            name: string;
            expires_at: string;
            last_used_at: string | null;
            last_used_address: string | null;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
        };
        /** NewServiceAccountKey */
        NewServiceAccountKey: {
            id: string;
            service_account_id: string;
            name: string;
            expires_at: string;
            last_used_at: string | null;
            last_used_address: string | null;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            /** @description The key (`sbx_svc_…`). Only this response contains it. Send it as `Authorization: Bearer …`. */
            key: string;
        };
        /** SsoConnection */
        SsoConnection: {
            id: string;
            organization_id: string;
            use_instance: boolean;
            issuer: string | null;
            client_id: string | null;
            client_secret: string | null;
            scopes: string;
            /** @description Claims that every person must have, each with the values of which it must have one. A list must contain one. Required for https://accounts.google.com (`hd`) and https://gitlab.com (`groups_direct`). */
            claims: {
                [key: string]: string[];
            };
            groups_claim: string;
            /** @description What values of the claim of groups give: a group, the role of admin, or a role in a workspace. Each sign-on sets what is named here to what the claim gives. */
            mappings: ({
                /** @description Of the claim of groups. */
                value: string;
                group_id: string;
            } | {
                /** @description Of the claim of groups. */
                value: string;
                /**
                 * @description Admin of the organization.
                 * @constant
                 */
                role: "admin";
            } | {
                /** @description Of the claim of groups. */
                value: string;
                workspace_id: string;
                /** @enum {string} */
                role: "admin" | "member";
            })[];
            provision: boolean;
            trust_email: boolean;
            session_hours: number;
            /**
             * @description Who must have signed on: no member; members with a linked identity, or an address in a verified or lapsed domain; or all members. Others get 403 `sso_required`.
             * @enum {string}
             */
            required: "none" | "domains" | "everyone";
            callback_url: string | null;
            created_at: string;
            updated_at: string;
        };
        /** SsoDomain */
        SsoDomain: {
            id: string;
            domain: string;
            /** @enum {string} */
            status: "pending" | "verified" | "lapsed";
            record: {
                name: string;
                value: string;
            };
            checked_at: string | null;
        };
        /** SsoIdentity */
        SsoIdentity: {
            id: string;
            user_id: string;
            user_name: string;
            user_email: string;
            /** @description The `sub` at the provider. */
            subject: string;
            email: string | null;
            signed_on_until: string | null;
            created_at: string;
        };
        /** Trust */
        Trust: {
            id: string;
            service_account_id: string;
            issuer: string;
            audience: string;
            /** @description Claims that the tokens must have, each with the values of which it must be one. They are compared as text, exactly: numbers, lists and objects never match. */
            claims: {
                [key: string]: string[];
            };
            max_ttl_seconds: number;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            updated_at: string;
        };
        /** OrganizationSummary */
        OrganizationSummary: {
            id: string;
            name: string;
            /** @description Short key, unique in the service. Derived from the name; never changes. */
            org_key: string;
            /** @description Unique in the service. Derived from the name; never changes. */
            slug: string;
            owner_id: string;
            member_count: number;
            workspace_count: number;
            created_at: string;
        };
        /** Organization */
        Organization: {
            id: string;
            name: string;
            /** @description Short key, unique in the service. Derived from the name; never changes. */
            org_key: string;
            /** @description Unique in the service. Derived from the name; never changes. */
            slug: string;
            owner_id: string;
            member_count: number;
            workspace_count: number;
            created_at: string;
            description: string | null;
            logo_url: string | null;
            /** @description Free-form JSON. */
            settings: Record<string, never>;
            budget_monthly_limit_usd: number | null;
            /** @description Spend in the current calendar month (UTC). */
            budget_used_usd: number;
            /** @description Fraction of the limit above which `budget.alert` is emitted. */
            budget_alert_threshold: number;
            /** @enum {string} */
            registration_mode: "open" | "invite-only";
            /** @description Whether members without a second factor have no access. */
            require_second_factor: boolean;
            max_workspaces: number | null;
            max_members: number | null;
            updated_at: string;
        };
        /** MyRole */
        MyRole: {
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        /** OrganizationMember */
        OrganizationMember: {
            organization_id: string;
            user_id: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            user_name: string;
            user_email: string;
            user_avatar_url: string;
            joined_at: string;
        };
        /** Invitation */
        Invitation: {
            id: string;
            organization_id: string;
            organization_name: string;
            email: string;
            /** @enum {string} */
            role: "admin" | "member";
            /** @enum {string} */
            status: "pending" | "accepted" | "declined" | "revoked" | "expired";
            invited_by: string;
            actor: components["schemas"]["Actor"];
            expires_at: string;
            created_at: string;
        };
        /** WorkspaceMember */
        WorkspaceMember: {
            workspace_id: string;
            organization_id: string;
            user_id: string;
            /** @enum {string} */
            role: "admin" | "member";
            user_name: string;
            user_email: string;
            user_avatar_url: string;
            joined_at: string;
        };
        /** InvitationPreview */
        InvitationPreview: {
            organization_name: string;
            invited_by_name: string;
            /** @description The invited address. Only the account of this address can accept. */
            email: string;
            /** @enum {string} */
            role: "admin" | "member";
            expires_at: string;
        };
        /** WorkspaceBudget */
        WorkspaceBudget: {
            workspace_id: string;
            workspace_name: string;
            budget_monthly_limit_usd: number | null;
            /** @description Spend in the current calendar month (UTC). */
            budget_used_usd: number;
            budget_alert_threshold: number;
            /** @description A ratio, despite its name: spend divided by limit, so 0.225 means 22.5%. 0 without a limit, 1 with a limit of 0. */
            usage_percent: number;
        };
        /** Budget */
        Budget: {
            budget_monthly_limit_usd: number | null;
            /** @description Spend in the current calendar month (UTC). */
            budget_used_usd: number;
            budget_alert_threshold: number;
            /** @description A ratio, despite its name: spend divided by limit, so 0.225 means 22.5%. 0 without a limit, 1 with a limit of 0. */
            usage_percent: number;
            /** @description The total of the listed workspaces, without deleted ones. */
            workspaces_total_used_usd: number;
            workspaces_total_limit_usd: number | null;
            workspaces: components["schemas"]["WorkspaceBudget"][];
        };
        /** Spend */
        Spend: {
            /** @description YYYY-MM. */
            month: string;
            workspace_id?: string;
            project_id?: string;
            agent?: string;
            model?: string | null;
            /** @description USD. */
            used_usd: number;
        };
        /** ModelPrice */
        ModelPrice: {
            model: string;
            from: string;
            /** @description USD. */
            input: number;
            cached_input: number | null;
            cache_write: number | null;
            /** @description USD. */
            output: number;
        };
        /** AgentLimit */
        AgentLimit: {
            agent: string;
            /** @description USD. */
            max_cost_usd: number;
        };
        /**
         * AgentRate
         * @description Rollouts that failed or were rolled back, of those whose outcome was reported. Fewer are better.
         */
        AgentRate: {
            count: number;
            /** @description The cases that the rate stands on. */
            of: number;
            rate: number | null;
            low: number | null;
            high: number | null;
            rank: number | null;
        };
        /**
         * AgentMean
         * @description Seconds from start to end of its executions per requirement that is done.
         */
        AgentMean: {
            mean: number | null;
            /** @description The requirements that it is the mean of. */
            of: number;
            rank: number | null;
        };
        /** AgentStanding */
        AgentStanding: {
            agent: string;
            executions: number;
            completed: components["schemas"]["AgentRate"];
            gates_approved: components["schemas"]["AgentRate"];
            comparisons_won: components["schemas"]["AgentRate"];
            rollouts_failed: components["schemas"]["AgentRate"];
            cost_usd_per_done: components["schemas"]["AgentMean"];
            seconds_per_done: components["schemas"]["AgentMean"];
        };
        /** AgentStandings */
        AgentStandings: {
            /** @description YYYY-MM. */
            from: string;
            /** @description YYYY-MM. */
            to: string;
            /** @description How many agents there are. At most 100 are listed. */
            total: number;
            /** @description Those with the most executions first. */
            agents: components["schemas"]["AgentStanding"][];
            /** @description What these figures cannot tell. */
            caveats: string[];
        };
        /** Group */
        Group: {
            id: string;
            organization_id: string;
            name: string;
            description: string | null;
            member_count: number;
            created_at: string;
            updated_at: string;
        };
        /** GroupMember */
        GroupMember: {
            group_id: string;
            organization_id: string;
            user_id: string;
            user_name: string;
            user_email: string;
            user_avatar_url: string;
            added_at: string;
        };
        /** Runtime */
        Runtime: {
            id: string;
            name: string;
            hostname: string;
            /**
             * @description `offline` after 90 seconds without a heartbeat.
             * @enum {string}
             */
            status: "online" | "offline";
            /** @description Names of the agents that the runtime can run. */
            agents: string[];
            last_heartbeat: string;
            /** @description The user who registered the runtime. */
            owner_id: string;
            owner_name: string;
        };
        /** AuditLogEntry */
        AuditLogEntry: {
            id: string;
            organization_id: string;
            workspace_id: string | null;
            workspace_name: string | null;
            /** @enum {string} */
            actor_type: "human" | "token" | "service_account" | "system";
            actor_id: string | null;
            /** @description At the time of the entry. */
            actor_name: string;
            action: string;
            resource_type: string;
            resource_id: string | null;
            /** @description A description for people. */
            detail: string;
            ip_address: string | null;
            created_at: string;
            via: ("mcp" | "sso") | null;
            seq: number | null;
            hash: string | null;
            actor: components["schemas"]["Actor"];
        };
        /** AuditLogVerification */
        AuditLogVerification: {
            /** @description Whether all entries verified by this call are unchanged. */
            valid: boolean;
            /** @description The number of sealed entries. */
            sealed: number;
            /** @description The number of entries that are not sealed yet; they are sealed within seconds. */
            unsealed: number;
            head: {
                seq: number;
                /** @description SHA-256 in hex. */
                hash: string;
            } | null;
            broken_at: {
                seq: number;
                entry_id: string | null;
            } | null;
            /** @description If there are more entries: the last verified number, to send as `after_seq`. */
            next_seq?: number;
        };
        /** WorkspaceSummary */
        WorkspaceSummary: {
            id: string;
            name: string;
            /** @description Short key, unique in the organization. */
            workspace_key: string;
            organization_id: string;
            owner_id: string;
            budget_monthly_limit_usd: number | null;
            created_at: string;
        };
        /**
         * GatePolicy
         * @description The policy for new gates. Each gate keeps the policy that was in force when it was opened.
         */
        GatePolicy: {
            /** @description How many people must approve. */
            required_approvals: number;
            /** @description Whether the people who opened the gate and who started its execution cannot approve it. They can reject it. For a gate that Signalbox opens, these are the people who asked for its subject in the environments before, or reported the rollout. */
            prevent_self_approval: boolean;
            expires_in_seconds: number | null;
            /** @description The ways in which a gate can be approved or rejected. */
            decide_via: ("api" | "app" | "slack" | "mail")[];
        };
        /** Workspace */
        Workspace: {
            id: string;
            name: string;
            /** @description Short key, unique in the organization. */
            workspace_key: string;
            organization_id: string;
            owner_id: string;
            budget_monthly_limit_usd: number | null;
            created_at: string;
            description: string | null;
            /** @description Spend in the current calendar month (UTC). */
            budget_used_usd: number;
            budget_alert_threshold: number;
            gate_policy: components["schemas"]["GatePolicy"];
            updated_at: string;
        };
        /** Project */
        Project: {
            id: string;
            organization_id: string;
            workspace_id: string;
            name: string;
            description: string | null;
            repository_url: string | null;
            support: string | null;
            /**
             * @description How the releases in changelogs are named. `numbered`: 1, 2, 3. `calver`: the date of publication, such as `2026.11.22`; a second one on that day is `2026.11.22.2`. `semver`: from 0.1.0; from 1.0.0 on a `removal` raises the first number, before that the second; a `feature`, `change` or `deprecation` raises the second, anything else the third. It counts from the latest version that was reported, which is written as it was reported, such as `v1.4.2`; what is reported after the publication does not change a name.
             * @enum {string}
             */
            version_scheme: "numbered" | "calver" | "semver";
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            updated_at: string;
        };
        /** ProjectWork */
        ProjectWork: {
            /** @description Executions that run. */
            running: number;
            /** @description Executions that wait for a gate. */
            awaiting_gate: number;
            /** @description The newest of them, at most 5. */
            executions: {
                id: string;
                agent: string;
                /** @enum {string} */
                status: "running" | "awaiting_gate";
                requirement: {
                    id: string;
                    number: number;
                    title: string;
                };
                started_at: string | null;
            }[];
        };
        /** EnvironmentRollout */
        EnvironmentRollout: {
            dispatch_id: string | null;
            hook_id: string | null;
            event: string;
            version: string | null;
            url: string | null;
            /** @enum {string} */
            state: "awaiting" | "in_progress" | "succeeded" | "failed" | "unknown" | "not_delivered";
            /** @description When it was last reported; if never, when it became `unknown` or `not_delivered` or, before that, when it was dispatched. */
            at: string;
            /** @description What its receiver deployed. Absent unless it was reported. */
            digest?: {
                /** @description The id of a Git commit. */
                gitCommit?: string;
                /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                sha256?: string;
            };
            approved_digest?: {
                /** @description The id of a Git commit. */
                gitCommit?: string;
                /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                sha256?: string;
            } | null;
        };
        /**
         * GateSubject
         * @description What is approved; null for a gate that is about nothing in particular. It never changes.
         */
        GateSubject: {
            /** @description Where the subject is: an `https:`, `git+https:`, `pkg:` or `oci:` URI without credentials. */
            uri: string;
            /** @description What identifies the content: exactly one of `gitCommit` and `sha256`. */
            digest: {
                /** @description The id of a Git commit. */
                gitCommit?: string;
                /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                sha256?: string;
            };
            version: string | null;
        };
        /**
         * Candidate
         * @description What may come here next. Null if nothing, or it runs here already.
         */
        Candidate: {
            subject: components["schemas"]["GateSubject"];
            /** @description When its run in the environment before began. */
            since: string;
            /** @description When it has run there for `soak_seconds`. */
            soak_until: string;
            gate_id: string | null;
            /**
             * @description `soaking`: it has not run there long enough. `ready`: it has. `waiting`: and a gate for it is pending, or approved. `failed`: it failed there, or was rolled back.
             * @enum {string}
             */
            state: "soaking" | "ready" | "waiting" | "failed";
        };
        /** TrackGate */
        TrackGate: {
            id: string;
            name: string;
            /** @description How many approvals count now. */
            approvals: number;
            /** @description How many it takes. */
            required_approvals: number;
            /** @description Whether the caller may approve it, and has not. */
            waits_for_you: boolean;
            created_at: string;
        };
        /** TrackEnvironment */
        TrackEnvironment: {
            environment: string;
            current: components["schemas"]["EnvironmentRollout"] | null;
            latest: components["schemas"]["EnvironmentRollout"] | null;
            candidate: components["schemas"]["Candidate"] | null;
            /** @description Pending gates for it, oldest first, at most 5. */
            gates: components["schemas"]["TrackGate"][];
            /** @description How many are pending. */
            gates_count: number;
            held_until: string | null;
            freeze: {
                /** @description When no freeze holds any more. */
                until: string;
                /** @description Those that hold now. */
                names: string[];
            } | null;
        };
        /** ProjectTrack */
        ProjectTrack: {
            work: components["schemas"]["ProjectWork"];
            /** @description By chain, then by name; production last. At most 30, and as many as fit in 64 KiB. */
            environments: components["schemas"]["TrackEnvironment"][];
        };
        /** Activity */
        Activity: {
            at: string;
            /**
             * @description What happened: an event, or an action of the audit log. `requirement.completed` is an update to `done`, `gate.overridden` an approval by override. Of rollouts only the outcome is listed: `rollout.not_delivered` is one whose dispatch was given up, cancelled, or too old. Releases may add kinds.
             * @enum {string}
             */
            kind: "project.created" | "project.updated" | "requirement.created" | "requirement.updated" | "requirement.deleted" | "execution.started" | "execution.completed" | "execution.failed" | "execution.cancelled" | "gate.pending" | "gate.approval_added" | "gate.approved" | "gate.rejected" | "gate.changes_requested" | "gate.expired" | "gate.cancelled" | "gate.reviewed" | "gate.revoked" | "environment_policy.created" | "environment_policy.updated" | "environment_policy.deleted" | "deployment_hook.created" | "deployment_hook.updated" | "deployment_hook.deleted" | "deployment_hook.triggered" | "deployment.rollback" | "hook.disabled" | "deliverable.generated" | "deliverable.failed" | "deliverable.published" | "deliverable.archived" | "deliverable.deleted" | "dual_track.compared" | "dual_track.failed" | "dual_track.decided" | "dual_track.cancelled" | "dual_track.deleted" | "requirement.completed" | "gate.overridden" | "rollout.succeeded" | "rollout.failed" | "rollout.unknown" | "rollout.not_delivered";
            /** @description A sentence for people, without a full stop. */
            text: string;
            /** @description The page of what it is about; of the project, if that was deleted. */
            url: string;
            actor: components["schemas"]["Actor"] | null;
        };
        /** WorkflowTemplate */
        WorkflowTemplate: {
            /** @description The text of a workflow definition file. Stored as it is, without parsing. At most 256 KiB. */
            template: string;
        };
        /** Requirement */
        Requirement: {
            id: string;
            organization_id: string;
            workspace_id: string;
            project_id: string;
            /** @description Sequential number in the project. */
            number: number;
            title: string;
            description: string | null;
            /**
             * @description The first six are the sections of Keep a Changelog.
             * @enum {string}
             */
            kind: "feature" | "change" | "deprecation" | "removal" | "fix" | "security" | "docs" | "chore";
            acceptance_criteria: string[];
            /**
             * @description Set by updates alone: executions do not change it.
             * @enum {string}
             */
            status: "open" | "in_progress" | "done" | "cancelled";
            completed_at: string | null;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            updated_at: string;
        };
        /** ModelUsage */
        ModelUsage: {
            model: string;
            /** @description Includes the tokens that were read from or written to a cache. */
            input_tokens: number;
            /** @description Of the input tokens, those that were read from a cache. */
            cached_input_tokens: number;
            /** @description Of the input tokens, those that were written to a cache. */
            cache_write_tokens: number;
            /** @description Includes the tokens of reasoning. */
            output_tokens: number;
            /** @description Of the output tokens, those of reasoning. */
            reasoning_tokens: number;
            cost_usd: number | null;
            /**
             * @description Whether it was reported with the execution, or received by OTLP.
             * @enum {string}
             */
            source: "reports" | "telemetry";
        };
        /** Execution */
        Execution: {
            id: string;
            organization_id: string;
            workspace_id: string;
            project_id: string;
            requirement_id: string;
            graph_id: string;
            agent: string;
            runtime_id: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
            summary: string | null;
            error: string | null;
            cost_usd: number | null;
            /** @enum {string} */
            cost_from: "reports" | "telemetry";
            reported_cost_usd: number | null;
            max_cost_usd: number | null;
            /** @description By model, the most expensive first; at most 100. What does not add to `cost_usd` is listed, too. */
            usage: components["schemas"]["ModelUsage"][];
            /** @description How many uses of models have no cost, because none was reported and no price was known. */
            unpriced: number;
            /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
            metrics: {
                [key: string]: number;
            };
            artifacts: {
                name: string;
                kind?: string;
                url?: string;
                content?: string;
            }[];
            created_by: string;
            actor: components["schemas"]["Actor"];
            started_by: string | null;
            started_at: string | null;
            finished_at: string | null;
            created_at: string;
            updated_at: string;
        };
        /**
         * GateEvidence
         * @description What the approver should know. It never changes. What looks like a credential in the summary and in details of checks is masked.
         */
        GateEvidence: {
            summary: string | null;
            /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
            metrics: {
                [key: string]: number;
            };
            /** @description The checks that ran. */
            checks: {
                /** @description The name of the check. */
                name: string;
                /**
                 * @description How the check ended.
                 * @enum {string}
                 */
                state: "passed" | "failed" | "skipped";
                url: string | null;
                detail: string | null;
            }[];
            /** @description Where to read more. */
            links: {
                /** @description What the link leads to. */
                label: string;
                /** @description An http or https URL. */
                url: string;
            }[];
            /** @description What was made. Lists and events leave it out. */
            artifacts?: {
                name: string;
                kind?: string;
                url?: string;
                content?: string;
            }[];
        };
        /** GateField */
        GateField: {
            /** @description The name of the answer. */
            name: string;
            /** @description The question. */
            label: string;
            /**
             * @description What kind of answer it takes. A text has at most 2,000 characters.
             * @enum {string}
             */
            type: "text" | "number" | "boolean" | "choice";
            choices: string[] | null;
            /** @description Whether an approval needs an answer. */
            required: boolean;
        };
        /**
         * GateRules
         * @description The rules of the gate, as they were when it opened.
         */
        GateRules: {
            /** @description How many people must approve. */
            required_approvals: number;
            /** @description Whether the people who opened the gate and who started its execution cannot approve it. They can reject it. For a gate that Signalbox opens, these are the people who asked for its subject in the environments before, or reported the rollout. */
            prevent_self_approval: boolean;
            expires_at: string | null;
            /** @description The ways in which a gate can be approved or rejected. */
            decide_via: ("api" | "app" | "slack" | "mail")[];
            /** @description The groups whose members must approve. Empty: admins of the workspace may. */
            approvers: {
                group_id: string;
                /** @description How many of its members must approve. */
                count: number;
            }[];
            /** @description Whether the gate had to be opened with a subject. */
            require_subject: boolean;
            /** @description Whether every check of the evidence must have passed. */
            require_checks: boolean;
            /** @description Whether an approval needs a passkey. */
            require_passkey: boolean;
            /** @description Whether hooks of the environment are sent only what a gate approved. */
            gate_required: boolean;
        };
        /** GateApproval */
        GateApproval: {
            user_id: string;
            /** @description The name of the user. */
            name: string;
            comment: string | null;
            /**
             * @description How a decision was made: through the API, in the app, in Slack, or by the mailed link.
             * @enum {string}
             */
            via: "api" | "app" | "slack" | "mail";
            proof: "passkey" | null;
            /** @description The answers to the fields of the gate, by name. */
            answers: {
                [key: string]: string | number | boolean;
            };
            /** @description Whether it counts. It does not if its user has lost the role, or left the group or the organization: as it is now while the gate is pending, and then as it was when the gate was decided. */
            counts: boolean;
            created_at: string;
        };
        /** Gate */
        Gate: {
            id: string;
            organization_id: string;
            workspace_id: string;
            project_id: string;
            execution_id: string | null;
            name: string;
            description: string | null;
            environment: string | null;
            subject: components["schemas"]["GateSubject"] | null;
            evidence: components["schemas"]["GateEvidence"] | null;
            /** @description Questions to the approver. They never change. */
            fields: components["schemas"]["GateField"][];
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "changes_requested" | "cancelled" | "expired";
            /** @description How many people must approve. */
            required_approvals: number;
            /** @description Whether the people who opened the gate and who started its execution cannot approve it. They can reject it. For a gate that Signalbox opens, these are the people who asked for its subject in the environments before, or reported the rollout. */
            prevent_self_approval: boolean;
            /** @description The ways in which a gate can be approved or rejected. */
            decide_via: ("api" | "app" | "slack" | "mail")[];
            expires_at: string | null;
            rules: components["schemas"]["GateRules"];
            binding: string | null;
            /** @description Oldest first. */
            approvals: components["schemas"]["GateApproval"][];
            answers: {
                [key: string]: string | number | boolean;
            } | null;
            comment: string | null;
            triggers_hooks: boolean | null;
            attestation_url: string | null;
            superseded_by: string | null;
            created_by: string | null;
            actor: components["schemas"]["Actor"];
            decided_by: string | null;
            decided_via: ("api" | "app" | "slack" | "mail" | "override") | null;
            decided_at: string | null;
            override_proof: "passkey" | null;
            incident_url: string | null;
            reviewed_by: string | null;
            reviewed_at: string | null;
            review_comment: string | null;
            revoked_by: string | null;
            revoked_at: string | null;
            revocation_reason: string | null;
            revoked_in_flight: {
                id: string;
                hook_id: string;
                hook_name: string;
            }[] | null;
            created_at: string;
            updated_at: string;
        };
        /**
         * GateClearance
         * @description Whether one may go on now with what the gate is about. Ask this, and not only `status`: an approval may be revoked, or held back.
         */
        GateClearance: {
            /**
             * @description `clear`: go on. `waiting`: not yet, because the gate, or another one of its execution and environment, is not decided, or because a freeze, or the soak of the subject in the environment before, holds back what the approval triggers. `denied`: do not, because the gate is not approved, the approval was revoked, or another gate stands in the way.
             * @enum {string}
             */
            state: "clear" | "waiting" | "denied";
            held_until: string | null;
            /** @description What stands in the way, as sentences; empty if nothing does. */
            reasons: string[];
        };
        /** GateEffects */
        GateEffects: {
            /** @description The hooks that the approval triggers, by name: at once or, where they listen to workflows and their environment requires a gate, when its workflow is completed, if their filter lets it pass. Paused ones are called when they are resumed. Empty: none, also because the gate is no longer pending. */
            hooks: {
                id: string;
                name: string;
                environment: string;
            }[];
            held_until: string | null;
            running: {
                version: string | null;
                digest: {
                    /** @description The id of a Git commit. */
                    gitCommit?: string;
                    /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                    sha256?: string;
                } | null;
                /** @description When its success was reported. */
                since: string;
            } | null;
            promotion: {
                /** @description The environment before. */
                from: string;
                since: string | null;
                soak_until: string | null;
            } | null;
            /** @description What is missing until the gate is approved and its hooks are triggered, as sentences. */
            missing: string[];
        };
        /**
         * Attestation
         * @description The attestation of the gate; null unless it is verified and the approval holds.
         */
        Attestation: {
            payloadType: string;
            /** @description The JSON of an in-toto Statement v1, in base64. */
            payload: string;
            signatures: {
                /** @description The `key_id` of the signing key. */
                keyid: string;
                /** @description ECDSA P-256 with SHA-256 (ASN.1, DER) over the pre-authentication encoding, in base64. */
                sig: string;
            }[];
        };
        /** ListedAttestation */
        ListedAttestation: {
            gate_id: string;
            environment: string | null;
            created_at: string;
            envelope: components["schemas"]["Attestation"];
        };
        /** DeploymentVerdict */
        DeploymentVerdict: {
            /** @description Whether it may be deployed now. */
            allowed: boolean;
            /** @description Why it may not be deployed, as sentences. Empty if it may. */
            reasons: string[];
            gate_id: string | null;
            attestation: components["schemas"]["Attestation"] | null;
        };
        /** SigningKey */
        SigningKey: {
            /** @description The SHA-256 of the public key (DER, SubjectPublicKeyInfo), in hex. Attestations name it in `keyid`. */
            key_id: string;
            /** @description ECDSA P-256. */
            public_key_pem: string;
            created_at: string;
            retired_at: string | null;
        };
        /** Hook */
        Hook: {
            id: string;
            project_id: string;
            name: string;
            /**
             * @description `push`: dispatches are sent to `url`. `pull`: they wait until a CI system claims them; such a hook has neither `url` nor `headers`.
             * @enum {string}
             */
            mode: "push" | "pull";
            /** @description Whether the service removes the hook, with its dispatches, when no agent has claimed from it for 24 hours. Only for a pull hook; it cannot be changed. */
            temporary: boolean;
            url: string | null;
            /**
             * @description `workflow_done`: when a workflow completes; `gate_approved`: when a gate is approved.
             * @enum {string}
             */
            trigger_on: "workflow_done" | "gate_approved";
            environment: string;
            /** @description Every value is shown as `********`. */
            headers: {
                [key: string]: string;
            };
            enabled: boolean;
            disabled_reason: string | null;
            max_age_seconds: number | null;
            /** @description Whether a new dispatch cancels older pending ones, so that a delayed deployment never overwrites a newer one. */
            supersede: boolean;
            /** @description While true, dispatches are kept pending and none is lost. Tests are still sent. */
            paused: boolean;
            report_within_seconds: number | null;
            /** @description The body that is sent instead of the envelope, as JSON of at most 32 KiB, nested at most 16 deep; null: the envelope. A string that is exactly `{{/pointer}}` becomes the value at that JSON Pointer (RFC 6901) in the envelope, of whatever type, or null if it is absent. Inside a longer string, `{{/pointer}}` becomes its text: nothing for null and what is absent, JSON for objects and arrays. `{{secret:name}}` is a value of `template_secrets`. `{{report:url}}` and `{{report:token}}` require `report_within_seconds`; in a `test.ping`, which has no rollout, they are empty. `{{{{` is a literal `{{`. Keys are not replaced, what was put in is not rendered again, and numbers stay as they are written (`1.0`, `12345678901234567890`). It applies to every event of the hook, also to `test.ping`. A rendered body larger than 1 MiB is not sent: its dispatch fails with `payload_too_large`. */
            body_template: unknown;
            /** @description Values for `{{secret:name}}` in `body_template`, at most 8; names of `a-z`, `0-9` and `_`, 1 to 32 characters. Every value is shown as `********`. */
            template_secrets: {
                [key: string]: string;
            };
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * @description `hmac`: with a secret that the receiver has too. `ed25519`: with a private key that only the service has; receivers verify with `public_key`.
             * @enum {string}
             */
            signature: "hmac" | "ed25519";
            public_key: string | null;
            /** @description Whether the hook has a secret to sign with. False for the signature `ed25519`. */
            has_secret: boolean;
            created_at: string;
            updated_at: string;
        };
        /** CreatedHook */
        CreatedHook: {
            id: string;
            project_id: string;
            name: string;
            /**
             * @description `push`: dispatches are sent to `url`. `pull`: they wait until a CI system claims them; such a hook has neither `url` nor `headers`.
             * @enum {string}
             */
            mode: "push" | "pull";
            /** @description Whether the service removes the hook, with its dispatches, when no agent has claimed from it for 24 hours. Only for a pull hook; it cannot be changed. */
            temporary: boolean;
            url: string | null;
            /**
             * @description `workflow_done`: when a workflow completes; `gate_approved`: when a gate is approved.
             * @enum {string}
             */
            trigger_on: "workflow_done" | "gate_approved";
            environment: string;
            /** @description Every value is shown as `********`. */
            headers: {
                [key: string]: string;
            };
            enabled: boolean;
            disabled_reason: string | null;
            max_age_seconds: number | null;
            /** @description Whether a new dispatch cancels older pending ones, so that a delayed deployment never overwrites a newer one. */
            supersede: boolean;
            /** @description While true, dispatches are kept pending and none is lost. Tests are still sent. */
            paused: boolean;
            report_within_seconds: number | null;
            /** @description The body that is sent instead of the envelope, as JSON of at most 32 KiB, nested at most 16 deep; null: the envelope. A string that is exactly `{{/pointer}}` becomes the value at that JSON Pointer (RFC 6901) in the envelope, of whatever type, or null if it is absent. Inside a longer string, `{{/pointer}}` becomes its text: nothing for null and what is absent, JSON for objects and arrays. `{{secret:name}}` is a value of `template_secrets`. `{{report:url}}` and `{{report:token}}` require `report_within_seconds`; in a `test.ping`, which has no rollout, they are empty. `{{{{` is a literal `{{`. Keys are not replaced, what was put in is not rendered again, and numbers stay as they are written (`1.0`, `12345678901234567890`). It applies to every event of the hook, also to `test.ping`. A rendered body larger than 1 MiB is not sent: its dispatch fails with `payload_too_large`. */
            body_template: unknown;
            /** @description Values for `{{secret:name}}` in `body_template`, at most 8; names of `a-z`, `0-9` and `_`, 1 to 32 characters. Every value is shown as `********`. */
            template_secrets: {
                [key: string]: string;
            };
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * @description `hmac`: with a secret that the receiver has too. `ed25519`: with a private key that only the service has; receivers verify with `public_key`.
             * @enum {string}
             */
            signature: "hmac" | "ed25519";
            public_key: string | null;
            /** @description Whether the hook has a secret to sign with. False for the signature `ed25519`. */
            has_secret: boolean;
            created_at: string;
            updated_at: string;
            /** @description The generated secret, if the request had none. Only this response shows it. Absent for the signature `ed25519`. */
            secret?: string;
        };
        /** RotatedHook */
        RotatedHook: {
            id: string;
            project_id: string;
            name: string;
            /**
             * @description `push`: dispatches are sent to `url`. `pull`: they wait until a CI system claims them; such a hook has neither `url` nor `headers`.
             * @enum {string}
             */
            mode: "push" | "pull";
            /** @description Whether the service removes the hook, with its dispatches, when no agent has claimed from it for 24 hours. Only for a pull hook; it cannot be changed. */
            temporary: boolean;
            url: string | null;
            /**
             * @description `workflow_done`: when a workflow completes; `gate_approved`: when a gate is approved.
             * @enum {string}
             */
            trigger_on: "workflow_done" | "gate_approved";
            environment: string;
            /** @description Every value is shown as `********`. */
            headers: {
                [key: string]: string;
            };
            enabled: boolean;
            disabled_reason: string | null;
            max_age_seconds: number | null;
            /** @description Whether a new dispatch cancels older pending ones, so that a delayed deployment never overwrites a newer one. */
            supersede: boolean;
            /** @description While true, dispatches are kept pending and none is lost. Tests are still sent. */
            paused: boolean;
            report_within_seconds: number | null;
            /** @description The body that is sent instead of the envelope, as JSON of at most 32 KiB, nested at most 16 deep; null: the envelope. A string that is exactly `{{/pointer}}` becomes the value at that JSON Pointer (RFC 6901) in the envelope, of whatever type, or null if it is absent. Inside a longer string, `{{/pointer}}` becomes its text: nothing for null and what is absent, JSON for objects and arrays. `{{secret:name}}` is a value of `template_secrets`. `{{report:url}}` and `{{report:token}}` require `report_within_seconds`; in a `test.ping`, which has no rollout, they are empty. `{{{{` is a literal `{{`. Keys are not replaced, what was put in is not rendered again, and numbers stay as they are written (`1.0`, `12345678901234567890`). It applies to every event of the hook, also to `test.ping`. A rendered body larger than 1 MiB is not sent: its dispatch fails with `payload_too_large`. */
            body_template: unknown;
            /** @description Values for `{{secret:name}}` in `body_template`, at most 8; names of `a-z`, `0-9` and `_`, 1 to 32 characters. Every value is shown as `********`. */
            template_secrets: {
                [key: string]: string;
            };
            filter: {
                [key: string]: unknown;
            } | null;
            /**
             * @description `hmac`: with a secret that the receiver has too. `ed25519`: with a private key that only the service has; receivers verify with `public_key`.
             * @enum {string}
             */
            signature: "hmac" | "ed25519";
            public_key: string | null;
            /** @description Whether the hook has a secret to sign with. False for the signature `ed25519`. */
            has_secret: boolean;
            created_at: string;
            updated_at: string;
            /** @description The new secret. Only this response shows it. Absent for the signature `ed25519`: see `public_key`. */
            secret?: string;
            previous_secret_until: string | null;
        };
        /** Verdict */
        Verdict: {
            /** @description Whether all checks in the list passed. */
            valid: boolean;
            /** @description In this order. Checks that cannot be decided because an earlier one failed are left out. */
            checks: {
                /** @enum {string} */
                name: "signature_form" | "key" | "body" | "id_and_time" | "clock" | "old_secret";
                ok: boolean;
                /** @description What was found and, if the check failed, what to look for. */
                detail: string;
            }[];
        };
        /** Preview */
        Preview: {
            method: string;
            url: string | null;
            /** @description As in a first attempt. Values of own headers, signatures and the report token are shown as `********`. */
            headers: {
                [key: string]: string;
            };
            /** @description As text. Template secrets and report values are shown as `********`. */
            body: string;
            /** @description Whether the filter lets the event pass. */
            matches: boolean;
            failed_condition: {
                pointer: string;
                /** @description What the filter requires. */
                condition: unknown;
                /** @description What the event has there; null if it has nothing. */
                value: unknown;
            } | null;
        };
        /**
         * Rollout
         * @description The outcome of the deployment, as the receiver reports it. Null if the hook had no `report_within_seconds`.
         */
        Rollout: {
            /**
             * @description `awaiting`: nothing was reported yet; `unknown`: nothing was reported in time; `not_delivered`: the dispatch failed, expired or was cancelled before it was delivered. `succeeded` and `failed` are final; after `unknown` and `not_delivered`, a report is still taken.
             * @enum {string}
             */
            state: "awaiting" | "in_progress" | "succeeded" | "failed" | "unknown" | "not_delivered";
            version: string | null;
            url: string | null;
            description: string | null;
            reported_by: string | null;
            actor: components["schemas"]["Actor"] | null;
            reported_at: string | null;
            deadline_at: string | null;
            /** @description What its receiver deployed. Absent unless it was reported. */
            digest?: {
                /** @description The id of a Git commit. */
                gitCommit?: string;
                /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                sha256?: string;
            };
            approved_digest?: {
                /** @description The id of a Git commit. */
                gitCommit?: string;
                /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                sha256?: string;
            } | null;
        };
        /** Dispatch */
        Dispatch: {
            id: string;
            hook_id: string;
            project_id: string;
            /** @enum {string} */
            event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
            environment: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "cancelled";
            attempt_count: number;
            max_attempts: number;
            next_attempt_at: string | null;
            held_until: string | null;
            response_status: number | null;
            response_body: string | null;
            duration_ms: number | null;
            error: {
                /** @description All codes are explained at `/docs/receivers`. */
                code: string;
                detail: string;
            } | null;
            sequence: number | null;
            redelivery_of: string | null;
            superseded_by: string | null;
            rollout: components["schemas"]["Rollout"] | null;
            override_reason: string | null;
            created_at: string;
            completed_at: string | null;
        };
        /** Rollback */
        Rollback: {
            event_id: string;
            dispatches: components["schemas"]["Dispatch"][];
        };
        /** Recovered */
        Recovered: {
            /** @description How many dispatches were redelivered or, with `dry_run`, would be. */
            redelivered: number;
        };
        /** Attempt */
        Attempt: {
            number: number;
            started_at: string;
            address: string | null;
            dns_ms: number | null;
            first_byte_ms: number | null;
            duration_ms: number;
            response_status: number | null;
            response_headers: {
                [key: string]: string;
            } | null;
            response_body: string | null;
            error: {
                /** @description All codes are explained at `/docs/receivers`. */
                code: string;
                detail: string;
            } | null;
        };
        /** DispatchDetail */
        DispatchDetail: {
            id: string;
            hook_id: string;
            project_id: string;
            /** @enum {string} */
            event: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
            environment: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "cancelled";
            attempt_count: number;
            max_attempts: number;
            next_attempt_at: string | null;
            held_until: string | null;
            response_status: number | null;
            response_body: string | null;
            duration_ms: number | null;
            error: {
                /** @description All codes are explained at `/docs/receivers`. */
                code: string;
                detail: string;
            } | null;
            sequence: number | null;
            redelivery_of: string | null;
            superseded_by: string | null;
            rollout: components["schemas"]["Rollout"] | null;
            override_reason: string | null;
            created_at: string;
            completed_at: string | null;
            /** @description The signed request body, identical in every attempt. Template secrets and report values in it are shown as `********`. Empty if it was too large to be sent (`payload_too_large`). */
            payload: string;
            /** @description The headers of the last attempt, or of the first one to come, according to the current settings of the hook. Values of its own headers and signatures are shown as `********`. */
            request_headers: {
                [key: string]: string;
            };
            attempts: components["schemas"]["Attempt"][];
        };
        /** PullToken */
        PullToken: {
            /** @description Claims and acknowledges the dispatches of this hook. Only this response shows it. */
            token: string;
        };
        /** ClaimedDispatch */
        ClaimedDispatch: {
            dispatch: components["schemas"]["Dispatch"];
            /** @description The body, as it was signed. Not masked. */
            payload: string;
            /** @description As a request would have them, signed when the dispatch was claimed. Not masked. */
            headers: {
                [key: string]: string;
            };
            lease_until: string;
        };
        /** Environment */
        Environment: {
            environment: string;
            current: components["schemas"]["EnvironmentRollout"] | null;
            previous: components["schemas"]["EnvironmentRollout"] | null;
            latest: components["schemas"]["EnvironmentRollout"] | null;
            frequency_30d: number | null;
            change_failure_rate_30d: number | null;
            lead_time_median_seconds_30d: number | null;
            restore_time_median_seconds_30d: number | null;
            promotes_from: string | null;
            soak_seconds: number;
            candidate: components["schemas"]["Candidate"] | null;
        };
        /**
         * Freeze
         * @description Once, with `from` and `until`; or again and again, with `rrule`, `duration_seconds` and `time_zone`.
         */
        Freeze: {
            name: string;
            from?: string;
            until?: string;
            rrule?: string;
            duration_seconds?: number;
            time_zone?: string;
        };
        /**
         * EnvironmentPolicy
         * @description What gates for an environment require. Null: as the policy of the workspace says. A gate copies the stricter of both, so a workspace policy that becomes stricter later wins.
         */
        EnvironmentPolicy: {
            id: string;
            organization_id: string;
            workspace_id: string;
            project_id: string;
            environment: string;
            required_approvals: number | null;
            prevent_self_approval: boolean | null;
            expires_in_seconds: number | null;
            decide_via: ("api" | "app" | "slack" | "mail")[] | null;
            approvers: {
                group_id: string;
                /** @description How many members of the group must approve. */
                count: number;
            }[];
            /** @description Whether gates for the environment must name what is to be deployed. */
            require_subject: boolean;
            /** @description Whether gates for the environment need evidence with at least one check, and all of them passed. */
            require_checks: boolean;
            /** @description Whether people who approve or override gates for the environment must confirm that with a passkey. They decide on the page of the gate, or through the API. */
            require_passkey: boolean;
            /** @description Whether automatic dispatches to hooks of the environment are made only for an approved gate. */
            gate_required: boolean;
            promotes_from: string | null;
            /** @description How long it must run there, from its first success; what is approved before waits until then. Needs `promotes_from`. */
            soak_seconds: number;
            /** @description Whether Signalbox opens the gate for a subject that has run there so long. Needs `promotes_from`. */
            open_gate: boolean;
            freezes: components["schemas"]["Freeze"][];
            created_at: string;
            updated_at: string;
        };
        /**
         * FreezeInput
         * @description Once, with `from` and `until`; or again and again, with `rrule`, `duration_seconds` and `time_zone`.
         */
        FreezeInput: {
            name: string;
            /** @description ISO 8601 with `Z` or an offset of at most 14 hours, in the years 1 to 9999 (UTC). Seconds may be left out, and so may the colon of an offset. Digits after the milliseconds are dropped. */
            from?: string;
            /** @description ISO 8601 with `Z` or an offset of at most 14 hours, in the years 1 to 9999 (UTC). Seconds may be left out, and so may the colon of an offset. Digits after the milliseconds are dropped. */
            until?: string;
            /** @description When it starts: an `RRULE` of RFC 5545 without `DTSTART`. `BY…` parts count by the clock of the zone; `BYHOUR`, `BYMINUTE` and `BYSECOND` are 0 where they are absent and `FREQ` does not count them. `COUNT`, `UNTIL`, an `INTERVAL` above 1 and more than 24 starts a day are refused. A start in an hour that a clock change skips has the offset from before it: 02:30 is 03:30. In an hour that is repeated, the first counts. */
            rrule?: string;
            /** @description How long it holds from each start. Exact time: clock changes do not alter it. */
            duration_seconds?: number;
            /** @description The name of a time zone in the IANA database, as it is spelled there. */
            time_zone?: string;
        };
        /** ComparisonCriterion */
        ComparisonCriterion: {
            name: string;
            /** @description After rescaling; 0 if the criterion was dropped. */
            weight: number;
            a: number | null;
            b: number | null;
            score_a: number | null;
            score_b: number | null;
            /** @description What the scores are based on. */
            evidence: string;
        };
        /** ComparisonJudge */
        ComparisonJudge: {
            /** @enum {string} */
            kind: "metrics" | "model";
            model: string | null;
            prompt_version: string | null;
            order_consistent: boolean | null;
            fallback_reason: string | null;
        };
        /** ComparisonResult */
        ComparisonResult: {
            /** @enum {string} */
            recommendation: "a" | "b" | "tie";
            confidence: number;
            /** @description The total weight of the criteria for which both tracks have values. */
            coverage: number;
            rationale: string;
            criteria: components["schemas"]["ComparisonCriterion"][];
            judge: components["schemas"]["ComparisonJudge"];
            /** @description USD. */
            cost_usd: number;
        };
        /** Comparison */
        Comparison: {
            id: string;
            project_id: string;
            work_item_id: string;
            track_a_graph_id: string;
            track_b_graph_id: string;
            track_a_agent: string;
            track_b_agent: string;
            /** @enum {string} */
            status: "created" | "comparing" | "compared" | "failed" | "decided" | "cancelled";
            result: components["schemas"]["ComparisonResult"] | null;
            winner: ("a" | "b" | "tie") | null;
            decided_by: string | null;
            decided_at: string | null;
            error: string | null;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            updated_at: string;
        };
        /** SlackConfig */
        SlackConfig: {
            /** @description An incoming webhook of Slack, on `hooks.slack.com` or `hooks.slack-gov.com`. Write-only. Either this, or `bot_token` and `slack_channel`. */
            webhook_url?: string;
            /** @description A bot token of the Slack app, with the scope `chat:write`. Posts one thread per execution, with buttons for gates. Requires `slack_channel`. Write-only. */
            bot_token?: string;
            /** @description The id of the Slack channel to post to, not its name. Requires `bot_token`. */
            slack_channel?: string;
            /** @description Base URL of Slack's API, default `https://slack.com/api`; https, or http to an address in `OUTBOUND_ALLOW`. If it changes, `bot_token` must be sent again. */
            api_url?: string;
        };
        /** TeamsConfig */
        TeamsConfig: {
            /** @description The URL of a Teams Workflow that posts the messages it receives. Write-only. */
            webhook_url: string;
        };
        /** FeishuConfig */
        FeishuConfig: {
            /** @description A custom bot of Feishu or Lark, on `open.feishu.cn` or `open.larksuite.com`. Write-only. */
            webhook_url: string;
            /** @description The bot's signing secret, if it requires signatures. Write-only. */
            secret?: string;
        };
        /** WebhookConfig */
        WebhookConfig: {
            /** @description http or https, without credentials. */
            url: string;
            /** @description Signs every message, like the secret of a deployment hook. After the prefix `whsec_` the key is decoded from base64, otherwise the key is the text itself. Write-only. */
            secret?: string;
            /** @description Sent with every message. Values are write-only; a PUT replaces all headers. */
            headers?: {
                [key: string]: string;
            };
        };
        /** EmailConfig */
        EmailConfig: {
            smtp_host: string;
            /**
             * @description 465: implicit TLS. Other ports: STARTTLS if the server supports it.
             * @default 587
             */
            smtp_port: number;
            /** @description Requires `smtp_password`. */
            smtp_user?: string;
            /** @description Write-only. */
            smtp_password?: string;
            /** @description An e-mail address without a display name. It is stored and returned in canonical form: the domain in ASCII (Punycode), ASCII letters in lower case. */
            from_address: string;
            /** @description Each recipient gets one copy. Recipients that the server rejects temporarily are retried without the others. If the server rejects a recipient permanently, the message counts as failed. An address with non-ASCII characters before the @ requires a server with SMTPUTF8. */
            to_addresses: string[];
        };
        /** NotificationChannel */
        NotificationChannel: {
            id: string;
            workspace_id: string;
            name: string;
            /**
             * @description Cannot be changed later.
             * @enum {string}
             */
            channel_type: "slack" | "teams" | "feishu" | "webhook" | "email";
            /** @description As configured, with every secret replaced by `********`. */
            config: components["schemas"]["SlackConfig"] | components["schemas"]["TeamsConfig"] | components["schemas"]["FeishuConfig"] | components["schemas"]["WebhookConfig"] | components["schemas"]["EmailConfig"];
            enabled: boolean;
            disabled_reason: string | null;
            created_at: string;
            updated_at: string;
        };
        /** NotificationLogEntry */
        NotificationLogEntry: {
            id: string;
            channel_id: string;
            event: string;
            event_id: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed" | "cancelled";
            attempt_count: number;
            response_status: number | null;
            error: {
                code: string;
                detail: string;
            } | null;
            duration_ms: number | null;
            created_at: string;
            completed_at: string | null;
        };
        /** Subscription */
        Subscription: {
            id: string;
            channel_id: string;
            event_pattern: string;
            filter_project_id: string | null;
            created_at: string;
        };
        /** ApiDescription */
        ApiDescription: {
            project_id: string;
            title: string;
            version: string;
            operation_count: number;
            updated_at: string;
        };
        /** DeliverableSource */
        DeliverableSource: {
            /** @description The time of the snapshot from which all data was read. */
            as_of: string;
            /** @description The number of records read, by kind. */
            counts: {
                [key: string]: number;
            };
            requirement_ids: string[];
            execution_ids: string[];
            /** @description SHA-256 of the data in hex. Equal for equal data. */
            data_hash: string;
            /** @description Sentences on what would make the document better. */
            missing: string[];
        };
        /** DeliverableSummary */
        DeliverableSummary: {
            id: string;
            project_id: string;
            requirement_id: string | null;
            /**
             * @description The kind of document.
             * @enum {string}
             */
            deliverable_type: "changelog" | "project_summary" | "deployment_guide" | "api_docs" | "user_manual";
            title: string;
            /** @enum {string} */
            status: "generating" | "draft" | "published" | "archived" | "failed";
            /** @description Sequential number per project, type and requirement. */
            version: number;
            /** @enum {string} */
            content_type: "text/markdown";
            /** @description `template/1`: a template and the data, without a model. */
            generator: string;
            source: components["schemas"]["DeliverableSource"] | null;
            error: string | null;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            updated_at: string;
            published_at: string | null;
            archived_at: string | null;
        };
        /** Deliverable */
        Deliverable: {
            id: string;
            project_id: string;
            requirement_id: string | null;
            /**
             * @description The kind of document.
             * @enum {string}
             */
            deliverable_type: "changelog" | "project_summary" | "deployment_guide" | "api_docs" | "user_manual";
            title: string;
            /** @enum {string} */
            status: "generating" | "draft" | "published" | "archived" | "failed";
            /** @description Sequential number per project, type and requirement. */
            version: number;
            /** @enum {string} */
            content_type: "text/markdown";
            /** @description `template/1`: a template and the data, without a model. */
            generator: string;
            source: components["schemas"]["DeliverableSource"] | null;
            error: string | null;
            created_by: string;
            actor: components["schemas"]["Actor"];
            created_at: string;
            updated_at: string;
            published_at: string | null;
            archived_at: string | null;
            content: string | null;
        };
        /** Notification */
        Notification: {
            id: string;
            /**
             * @description `gate_pending`: A gate awaits review. Sent to the admins of its workspace, and to the members of the groups that it names. `changes_requested`: Changes were requested at a gate. Sent to the user who started its execution; without an execution, to the one who opened it. `gate_overridden`: A gate was overridden, or that waits for a review for a day. The former is sent to everyone who could have approved the gate, the latter to the owner and admins of the organization. `execution_completed`: An execution is completed. Sent to the user who started it and the author of its requirement. `execution_failed`: An execution failed. Sent to the user who started it and the author of its requirement. `budget_alert`: A budget exceeds its alert threshold or its limit. For an organization's budget, sent to its owner and admins; for a workspace's, to its admins. `invitation_received`: You are invited to an organization. The invitation has a mail of its own. `member_added`: A user became a member, or the owner. Sent to that user; of a new member, to the owner too, unless the owner added the user. `deployment_failed`: A dispatch was given up, or a rollout failed or was not reported in time. Sent to those who approved its gate, requested it or started its execution; if there are none, to the admins of the workspace.
             * @enum {string}
             */
            type: "gate_pending" | "changes_requested" | "gate_overridden" | "execution_completed" | "execution_failed" | "budget_alert" | "invitation_received" | "member_added" | "deployment_failed";
            /** @description What happened, in one line. */
            title: string;
            /** @description Where it happened, and details. Plain text; paragraphs are separated by an empty line. */
            body: string;
            organization_id: string;
            workspace_id: string | null;
            project_id: string | null;
            /** @description The kind of resource that it is about: `gate`, `execution`, `dispatch`, `organization`, `workspace`, `invitation` or `organization_member`. */
            resource_type: string;
            resource_id: string;
            url: string | null;
            /** @description Names for the ids, the originating event (`event`, `event_id`), and data specific to the type. */
            data: {
                [key: string]: unknown;
            };
            is_read: boolean;
            read_at: string | null;
            created_at: string;
        };
        /** NotificationPage */
        NotificationPage: {
            /** @description The number of notifications or, with `unread_only`, of unread ones. */
            total: number;
            /** @description The number of all unread notifications. */
            unread_count: number;
            page: number;
            page_size: number;
            items: components["schemas"]["Notification"][];
        };
        /** NotificationPreferences */
        NotificationPreferences: {
            /** @description Whether to send e-mail. Only verified addresses receive mail. */
            email_enabled: boolean;
            /** @description Whether the events of the stream contain `desktop: true`. */
            desktop_enabled: boolean;
            /** @description The types to deliver. Other types are not delivered in any form. */
            types: ("gate_pending" | "changes_requested" | "gate_overridden" | "execution_completed" | "execution_failed" | "budget_alert" | "invitation_received" | "member_added" | "deployment_failed")[];
            /** @description The types to send by e-mail as well. The unsubscribe link in each mail removes its type. */
            email_types: ("gate_pending" | "changes_requested" | "gate_overridden" | "execution_completed" | "execution_failed" | "budget_alert" | "invitation_received" | "member_added" | "deployment_failed")[];
            updated_at: string;
        };
        /** SearchResult */
        SearchResult: {
            /** @enum {string} */
            type: "organization" | "project" | "requirement" | "gate" | "deployment_hook";
            id: string;
            /** @description The name or, of a requirement, the title. */
            name: string;
            number: number | null;
            status: string | null;
            organization_id: string;
            organization_name: string;
            workspace_id: string | null;
            workspace_name: string | null;
            project_id: string | null;
            project_name: string | null;
            /** @description Its page. */
            url: string;
        };
        /** TokenResponse */
        TokenResponse: {
            /** @description Send it as `Authorization: Bearer …`. */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description Seconds. */
            expires_in: number;
            /** @description What the token allows, separated by spaces. */
            scope: string;
            /** @description For a token exchange. */
            issued_token_type?: string;
            /** @description For a client that a person has allowed: gets the next access token, once. */
            refresh_token?: string;
        };
        /**
         * OAuthError
         * @description RFC 6749, section 5.2.
         */
        OAuthError: {
            /** @enum {string} */
            error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_scope" | "invalid_target" | "unsupported_grant_type" | "unsupported_response_type" | "unsupported_token_type" | "temporarily_unavailable" | "server_error" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token";
            /** @description What is wrong, for developers. */
            error_description: string;
        };
        /** DeviceAuthorization */
        DeviceAuthorization: {
            /** @description The device asks for its token with it. */
            device_code: string;
            /** @description The person types it in. */
            user_code: string;
            /** @description Where the person types the code in. */
            verification_uri: string;
            /** @description Seconds. */
            expires_in: number;
            /** @description Seconds to wait between two questions. */
            interval: number;
        };
        /** OAuthServerMetadata */
        OAuthServerMetadata: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            revocation_endpoint: string;
            device_authorization_endpoint: string;
            grant_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            response_types_supported: string[];
            response_modes_supported: string[];
            code_challenge_methods_supported: string[];
            authorization_response_iss_parameter_supported: boolean;
            client_id_metadata_document_supported: boolean;
            scopes_supported: string[];
            service_documentation: string;
        };
        /** OAuthResourceMetadata */
        OAuthResourceMetadata: {
            resource: string;
            authorization_servers: string[];
            scopes_supported: string[];
            bearer_methods_supported: string[];
            resource_documentation: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address without a display name. It is stored and returned in canonical form: the domain in ASCII (Punycode), ASCII letters in lower case. */
                    email: string;
                    password: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address without a display name. It is stored and returned in canonical form: the domain in ASCII (Punycode), ASCII letters in lower case. */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveSession"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                session_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address without a display name. It is stored and returned in canonical form: the domain in ASCII (Punycode), ASCII letters in lower case. */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the mailed link. */
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    restoreEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendVerificationEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completeLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `ticket` of the response to the password. */
                    ticket: string;
                    /** @description The code that the authenticator app shows. Separators do not count, and digits may be of any script. */
                    code?: string;
                    recovery_code?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSecondFactors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondFactors"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSetup"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The code that the authenticator app shows. Separators do not count, and digits may be of any script. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetSecondFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the mailed link. */
                    token: string;
                    current_password: string;
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPasskeyRequestOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSecondFactorOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `ticket` of the response to the password. */
                    ticket: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    assertion: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    credential: components["schemas"]["PasskeyCredential"];
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPasskeyCreationOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                passkey_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"] | components["schemas"]["ServiceIdentity"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description An e-mail address without a display name. It is stored and returned in canonical form: the domain in ASCII (Punycode), ASCII letters in lower case. */
                    email?: string;
                    password?: string;
                    /** @description Required for a new password, and for a new address; not of an account without a password, whose person must have signed in within 10 minutes. */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required, unless the account has no password. Then its person must have signed in within 10 minutes. */
                    current_password?: string;
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSecurityLog: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["SecurityLogEntry"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/webp": string;
                    "image/svg+xml": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uploadAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": string;
                "image/jpeg": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listIdentities: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the token is for. */
                    name: string;
                    /**
                     * @description `read` allows only requests that change nothing, `write` also changes, and `decide` also decisions of gates.
                     * @enum {string}
                     */
                    scope?: "read" | "write" | "decide";
                    expires_at?: string | null;
                    organization_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewToken"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOrganizationTokens: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationToken"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeOrganizationToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    workspace_id?: string | null;
                    project_id?: string | null;
                    /**
                     * @description What the account may do, in its place:
                     *
                     *     - `work:read`: Read projects, requirements, executions, environments, comparisons and deliverables.
                     *     - `executions:write`: Create, start, complete, fail and cancel executions.
                     *     - `gates:open`: Open gates, and read them.
                     *     - `gates:read`: Read gates and attestations, and verify what was approved.
                     *     - `usage:write`: Report what executions cost.
                     *     - `rollouts:report`: Report the outcomes of deployments, and read dispatches and rollouts.
                     *     - `dispatches:claim`: Claim and acknowledge the dispatches of pull hooks.
                     *     - `hooks:trigger`: Trigger hooks, and read their dispatches.
                     *     - `deliverables:write`: Generate deliverables, and read them.
                     *     - `audit:read`: Read the audit log. An account of one workspace reads the entries about it, and one of a project none.
                     */
                    scopes: ("work:read" | "executions:write" | "gates:open" | "gates:read" | "usage:write" | "rollouts:report" | "dispatches:claim" | "hooks:trigger" | "deliverables:write" | "audit:read")[];
                    /** @description While it is false, the keys and tokens of the account are refused. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    workspace_id?: string | null;
                    project_id?: string | null;
                    /**
                     * @description What the account may do, in its place:
                     *
                     *     - `work:read`: Read projects, requirements, executions, environments, comparisons and deliverables.
                     *     - `executions:write`: Create, start, complete, fail and cancel executions.
                     *     - `gates:open`: Open gates, and read them.
                     *     - `gates:read`: Read gates and attestations, and verify what was approved.
                     *     - `usage:write`: Report what executions cost.
                     *     - `rollouts:report`: Report the outcomes of deployments, and read dispatches and rollouts.
                     *     - `dispatches:claim`: Claim and acknowledge the dispatches of pull hooks.
                     *     - `hooks:trigger`: Trigger hooks, and read their dispatches.
                     *     - `deliverables:write`: Generate deliverables, and read them.
                     *     - `audit:read`: Read the audit log. An account of one workspace reads the entries about it, and one of a project none.
                     */
                    scopes?: ("work:read" | "executions:write" | "gates:open" | "gates:read" | "usage:write" | "rollouts:report" | "dispatches:claim" | "hooks:trigger" | "deliverables:write" | "audit:read")[];
                    /** @description While it is false, the keys and tokens of the account are refused. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listServiceAccountKeys: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAccountKey"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createServiceAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where the key is kept. */
                    name: string;
                    /** @description At most 365 days from now. */
                    expires_at: string;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewServiceAccountKey"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeServiceAccountKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                service_account_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSso: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putSso: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Exactly as its discovery document names it. Cannot be changed. */
                    issuer?: string;
                    client_id?: string;
                    /** @description Write-only. `********` keeps the stored one. */
                    client_secret?: string;
                    /** @description Sign-ons with the provider of the whole instance count, in place of a provider of its own. */
                    use_instance?: boolean;
                    scopes?: string;
                    /** @description Claims that every person must have, each with the values of which it must have one. A list must contain one. Required for https://accounts.google.com (`hd`) and https://gitlab.com (`groups_direct`). */
                    claims?: {
                        [key: string]: string[];
                    };
                    /** @description The name of the claim with the groups of a person, or a JSON Pointer to it. */
                    groups_claim?: string;
                    /** @description What values of the claim of groups give: a group, the role of admin, or a role in a workspace. Each sign-on sets what is named here to what the claim gives. */
                    mappings?: ({
                        /** @description Of the claim of groups. */
                        value: string;
                        group_id: string;
                    } | {
                        /** @description Of the claim of groups. */
                        value: string;
                        /**
                         * @description Admin of the organization.
                         * @constant
                         */
                        role: "admin";
                    } | {
                        /** @description Of the claim of groups. */
                        value: string;
                        workspace_id: string;
                        /** @enum {string} */
                        role: "admin" | "member";
                    })[];
                    /** @description Whether new people of a verified domain become members. */
                    provision?: boolean;
                    /** @description Whether addresses count as verified although the provider does not say so (`email_verified`). */
                    trust_email?: boolean;
                    /** @description How long a sign-on lasts. */
                    session_hours?: number;
                    /**
                     * @description Who must have signed on: no member; members with a linked identity, or an address in a verified or lapsed domain; or all members. Others get 403 `sso_required`.
                     * @enum {string}
                     */
                    required?: "none" | "domains" | "everyone";
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoConnection"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSso: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSsoDomains: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addSsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domain: string;
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifySsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
                domain_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeSsoDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
                domain_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Required if the sign-in is older than 10 minutes and there is no `assertion`. */
                    current_password?: string;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSsoIdentities: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoIdentity"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkSsoIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTrusts: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trust"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTrust: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `iss` of the tokens, character by character. Its discovery document must be public. */
                    issuer: string;
                    audience?: string | null;
                    /** @description Claims that the tokens must have, each with the values of which it must be one. They are compared as text, exactly: numbers, lists and objects never match. */
                    claims: {
                        [key: string]: string[];
                    };
                    /** @description How long the access tokens work that are given for it. */
                    max_ttl_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trust"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateTrust: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                service_account_id: string;
                trust_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The `iss` of the tokens, character by character. Its discovery document must be public. */
                    issuer?: string;
                    audience?: string | null;
                    /** @description Claims that the tokens must have, each with the values of which it must be one. They are compared as text, exactly: numbers, lists and objects never match. */
                    claims?: {
                        [key: string]: string[];
                    };
                    /** @description How long the access tokens work that are given for it. */
                    max_ttl_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trust"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteTrust: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                service_account_id: string;
                trust_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSummary"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description `slug` and `org_key` do not change. */
                    name?: string;
                    description?: string | null;
                    logo_url?: string | null;
                    /** @description Free-form JSON, at most 64 KiB. Replaced as a whole. */
                    settings?: Record<string, never>;
                    /**
                     * @description `open`: every signed-in user can join.
                     * @enum {string}
                     */
                    registration_mode?: "open" | "invite-only";
                    /** @description Members without a second factor get 403 `second_factor_required` in the organization, also with tokens, mailed links and Slack. What notifications and mails say is withheld from them. */
                    require_second_factor?: boolean;
                    max_workspaces?: number | null;
                    max_members?: number | null;
                    budget_monthly_limit_usd?: number | null;
                    /** @description Fraction of the limit above which `budget.alert` is emitted. */
                    budget_alert_threshold?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMyRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyRole"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    transferOwnership: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    new_owner_id: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationSummary"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    joinOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                query?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description An e-mail address without a display name. It is stored and returned in canonical form: the domain in ASCII (Punycode), ASCII letters in lower case. */
                    email?: string;
                    user_id?: string;
                    /**
                     * @description Default: `member`.
                     * @enum {string}
                     */
                    role?: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
                member_user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
                member_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetMemberSecondFactors: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
                member_user_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWorkspaceMembers: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                query?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMember"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addWorkspaceMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    user_id: string;
                    /**
                     * @description Default: `member`.
                     * @enum {string}
                     */
                    role?: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMember"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWorkspaceMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceMember"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeWorkspaceMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptInvitationByToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token of the mailed link. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMyInvitations: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationMember"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    declineInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                invitation_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBudget: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getBudgetHistory: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                from?: string;
                to?: string;
                group_by?: "workspace" | "project" | "agent" | "model";
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Spend"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listModelPrices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPrice"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setModelPrices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The name of a model, or the beginning of names followed by `*`. */
                    model: string;
                    /** @description When the price begins. Usage before has the price before it. */
                    from: string;
                    /** @description USD per million input tokens that are neither read from nor written to a cache, at most 1,000,000,000; rounded half up to 6 decimals. */
                    input: number;
                    cached_input?: number | null;
                    cache_write?: number | null;
                    /** @description USD per million output tokens, at most 1,000,000,000; rounded half up to 6 decimals. */
                    output: number;
                }[];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelPrice"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAgentLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentLimit"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setAgentLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The name of an agent, as executions have it. */
                    agent: string;
                    /** @description USD, at most 1,000,000,000; rounded half up to 6 decimals. */
                    max_cost_usd: number;
                }[];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentLimit"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAgentStandings: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentStandings"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportTraces: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportLogs: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                    "application/json": Record<string, never>;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique in the organization, whatever its case and spaces. */
                    name: string;
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Unique in the organization, whatever its case and spaces. */
                    name?: string;
                    description?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGroupMembers: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                group_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupMember"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addGroupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                group_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeGroupMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                group_id: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRuntimes: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runtime"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    registerRuntime: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    hostname: string;
                    /** @description Names of the agents that the runtime can run. */
                    agents?: string[];
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runtime"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendHeartbeat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                runtime_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Names of the agents that the runtime can run. */
                    agents?: string[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runtime"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteRuntime: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                runtime_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
                action?: string;
                actor_id?: string;
                start_date?: string;
                end_date?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["AuditLogEntry"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                format?: "ndjson" | "csv";
                action?: string;
                actor_id?: string;
                start_date?: string;
                end_date?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: {
                after_seq?: number;
                after_hash?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogVerification"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceSummary"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    budget_monthly_limit_usd?: number | null;
                    /** @description Fraction of the limit above which `budget.alert` is emitted. */
                    budget_alert_threshold?: number;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    budget_monthly_limit_usd?: number | null;
                    /** @description Fraction of the limit above which `budget.alert` is emitted. */
                    budget_alert_threshold?: number;
                    gate_policy?: {
                        /** @description How many people must approve. */
                        required_approvals?: number;
                        /** @description Whether the people who opened the gate and who started its execution cannot approve it. They can reject it. For a gate that Signalbox opens, these are the people who asked for its subject in the environments before, or reported the rollout. */
                        prevent_self_approval?: boolean;
                        expires_in_seconds?: number | null;
                        /** @description The ways in which a gate can be approved or rejected. */
                        decide_via?: ("api" | "app" | "slack" | "mail")[];
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    repository_url?: string | null;
                    support?: string | null;
                    /**
                     * @description How the releases in changelogs are named. `numbered`: 1, 2, 3. `calver`: the date of publication, such as `2026.11.22`; a second one on that day is `2026.11.22.2`. `semver`: from 0.1.0; from 1.0.0 on a `removal` raises the first number, before that the second; a `feature`, `change` or `deprecation` raises the second, anything else the third. It counts from the latest version that was reported, which is written as it was reported, such as `v1.4.2`; what is reported after the publication does not change a name.
                     * @enum {string}
                     */
                    version_scheme?: "numbered" | "calver" | "semver";
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    repository_url?: string | null;
                    support?: string | null;
                    /**
                     * @description How the releases in changelogs are named. `numbered`: 1, 2, 3. `calver`: the date of publication, such as `2026.11.22`; a second one on that day is `2026.11.22.2`. `semver`: from 0.1.0; from 1.0.0 on a `removal` raises the first number, before that the second; a `feature`, `change` or `deprecation` raises the second, anything else the third. It counts from the latest version that was reported, which is written as it was reported, such as `v1.4.2`; what is reported after the publication does not change a name.
                     * @enum {string}
                     */
                    version_scheme?: "numbered" | "calver" | "semver";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProjectTrack: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectTrack"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["Activity"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOrganizationWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateOrganizationWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text of a workflow definition file. Stored as it is, without parsing. At most 256 KiB. */
                    template: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWorkspaceWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateWorkspaceWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text of a workflow definition file. Stored as it is, without parsing. At most 256 KiB. */
                    template: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getProjectWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateProjectWorkflowTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text of a workflow definition file. Stored as it is, without parsing. At most 256 KiB. */
                    template: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowTemplate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRequirements: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
                status?: "open" | "in_progress" | "done" | "cancelled";
                kind?: "feature" | "change" | "deprecation" | "removal" | "fix" | "security" | "docs" | "chore";
                created_after?: string;
                created_before?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["Requirement"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createRequirement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    title: string;
                    description?: string | null;
                    /**
                     * @description The first six are the sections of Keep a Changelog.
                     * @enum {string}
                     */
                    kind?: "feature" | "change" | "deprecation" | "removal" | "fix" | "security" | "docs" | "chore";
                    /** @description At most 200000 characters together. */
                    acceptance_criteria?: string[];
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requirement"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getRequirement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requirement"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateRequirement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    description?: string | null;
                    /**
                     * @description The first six are the sections of Keep a Changelog.
                     * @enum {string}
                     */
                    kind?: "feature" | "change" | "deprecation" | "removal" | "fix" | "security" | "docs" | "chore";
                    /** @description At most 200000 characters together. */
                    acceptance_criteria?: string[];
                    /**
                     * @description Set by updates alone: executions do not change it.
                     * @enum {string}
                     */
                    status?: "open" | "in_progress" | "done" | "cancelled";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Requirement"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteRequirement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
                status?: "queued" | "running" | "awaiting_gate" | "completed" | "failed" | "cancelled";
                agent?: string;
                created_after?: string;
                created_before?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["Execution"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                requirement_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name of the agent. */
                    agent: string;
                    runtime_id?: string | null;
                    /** @description The run of a workflow graph that the execution belongs to. Default: a new one. */
                    graph_id?: string;
                    /** @description Start it at once, in the same transaction. Default: it stays queued. */
                    start?: boolean;
                    /**
                     * @description What adds to `cost_usd`. `reports` (the default): the amounts that are reported. `telemetry`: the usage of models, received by OTLP or reported with a `model`; other reported amounts are kept in `reported_cost_usd`.
                     * @enum {string}
                     */
                    cost_from?: "reports" | "telemetry";
                    max_cost_usd?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description What adds to `cost_usd`. `reports` (the default): the amounts that are reported. `telemetry`: the usage of models, received by OTLP or reported with a `model`; other reported amounts are kept in `reported_cost_usd`.
                     * @enum {string}
                     */
                    cost_from?: "reports" | "telemetry";
                    max_cost_usd?: number | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    completeExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    summary?: string | null;
                    /** @description USD, at most 1,000,000,000; rounded half up to 6 decimals. */
                    cost_usd?: number;
                    /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                    metrics?: {
                        [key: string]: number;
                    };
                    artifacts?: {
                        name: string;
                        kind?: string;
                        url?: string;
                        content?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    failExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    error?: string | null;
                    /** @description USD, at most 1,000,000,000; rounded half up to 6 decimals. */
                    cost_usd?: number;
                    /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                    metrics?: {
                        [key: string]: number;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description USD, at most 1,000,000,000; rounded half up to 6 decimals. */
                    cost_usd?: number;
                    /** @description The model that was used. */
                    model?: string;
                    /** @description Includes the tokens that were read from or written to a cache. */
                    input_tokens?: number;
                    /** @description Of the input tokens, those that were read from a cache. */
                    cached_input_tokens?: number;
                    /** @description Of the input tokens, those that were written to a cache. */
                    cache_write_tokens?: number;
                    /** @description Includes the tokens of reasoning. */
                    output_tokens?: number;
                    /** @description Of the output tokens, those of reasoning. */
                    reasoning_tokens?: number;
                    /** @description Identifies this usage within the execution. A report with a key that was used before changes nothing, for ever. */
                    dedupe_key?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Execution"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listExecutionGates: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                execution_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    /** @description How many people must approve. */
                    required_approvals?: number;
                    /** @description Whether the people who opened the gate and who started its execution cannot approve it. They can reject it. For a gate that Signalbox opens, these are the people who asked for its subject in the environments before, or reported the rollout. */
                    prevent_self_approval?: boolean;
                    expires_in_seconds?: number | null;
                    environment?: string | null;
                    subject?: {
                        /** @description Where the subject is: an `https:`, `git+https:`, `pkg:` or `oci:` URI without credentials. */
                        uri: string;
                        /** @description What identifies the content: exactly one of `gitCommit` and `sha256`. */
                        digest: {
                            /** @description The id of a Git commit. */
                            gitCommit?: string;
                            /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                            sha256?: string;
                        };
                        version?: string | null;
                    } | null;
                    evidence?: {
                        summary?: string | null;
                        /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                        metrics?: {
                            [key: string]: number;
                        };
                        /** @description The checks that ran. */
                        checks?: {
                            /** @description The name of the check. */
                            name: string;
                            /**
                             * @description How the check ended.
                             * @enum {string}
                             */
                            state: "passed" | "failed" | "skipped";
                            url?: string | null;
                            detail?: string | null;
                        }[];
                        /** @description Where to read more. */
                        links?: {
                            /** @description What the link leads to. */
                            label: string;
                            /** @description An http or https URL. */
                            url: string;
                        }[];
                        /** @description What was made. */
                        artifacts?: {
                            name: string;
                            kind?: string;
                            url?: string;
                            content?: string;
                        }[];
                    } | null;
                    /** @description Questions to the approver. Their names must differ. */
                    fields?: {
                        /** @description The name of the answer. */
                        name: string;
                        /** @description The question. */
                        label: string;
                        /**
                         * @description What kind of answer it takes. A text has at most 2,000 characters.
                         * @enum {string}
                         */
                        type: "text" | "number" | "boolean" | "choice";
                        choices?: string[] | null;
                        /** @description Whether an approval needs an answer. Default: true. */
                        required?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listGates: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                status?: "pending" | "approved" | "rejected" | "changes_requested" | "cancelled" | "expired";
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openProjectGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    /** @description How many people must approve. */
                    required_approvals?: number;
                    /** @description Whether the people who opened the gate and who started its execution cannot approve it. They can reject it. For a gate that Signalbox opens, these are the people who asked for its subject in the environments before, or reported the rollout. */
                    prevent_self_approval?: boolean;
                    expires_in_seconds?: number | null;
                    environment?: string | null;
                    subject?: {
                        /** @description Where the subject is: an `https:`, `git+https:`, `pkg:` or `oci:` URI without credentials. */
                        uri: string;
                        /** @description What identifies the content: exactly one of `gitCommit` and `sha256`. */
                        digest: {
                            /** @description The id of a Git commit. */
                            gitCommit?: string;
                            /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                            sha256?: string;
                        };
                        version?: string | null;
                    } | null;
                    evidence?: {
                        summary?: string | null;
                        /** @description Known names: `tests_passed`, `tests_failed`, `lines_added`, `lines_removed`, `duration_seconds`, `retries`. */
                        metrics?: {
                            [key: string]: number;
                        };
                        /** @description The checks that ran. */
                        checks?: {
                            /** @description The name of the check. */
                            name: string;
                            /**
                             * @description How the check ended.
                             * @enum {string}
                             */
                            state: "passed" | "failed" | "skipped";
                            url?: string | null;
                            detail?: string | null;
                        }[];
                        /** @description Where to read more. */
                        links?: {
                            /** @description What the link leads to. */
                            label: string;
                            /** @description An http or https URL. */
                            url: string;
                        }[];
                        /** @description What was made. */
                        artifacts?: {
                            name: string;
                            kind?: string;
                            url?: string;
                            content?: string;
                        }[];
                    } | null;
                    /** @description Questions to the approver. Their names must differ. */
                    fields?: {
                        /** @description The name of the answer. */
                        name: string;
                        /** @description The question. */
                        label: string;
                        /**
                         * @description What kind of answer it takes. A text has at most 2,000 characters.
                         * @enum {string}
                         */
                        type: "text" | "number" | "boolean" | "choice";
                        choices?: string[] | null;
                        /** @description Whether an approval needs an answer. Default: true. */
                        required?: boolean;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGateClearance: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateClearance"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGateEffects: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateEffects"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    approveGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    comment?: string | null;
                    binding?: string | null;
                    /** @description The answers to `fields`, by name. An empty text and null are no answer. One that is missing, wrong or to no question is refused with 422 at `/answers/<name>`. */
                    answers?: {
                        [key: string]: string | number | boolean | null;
                    };
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGateChallenge: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The decision that the assertion is about.
                     * @enum {string}
                     */
                    decision: "approve" | "override";
                    /** @description The answers to `fields`, by name. An empty text and null are no answer. One that is missing, wrong or to no question is refused with 422 at `/answers/<name>`. */
                    answers?: {
                        [key: string]: string | number | boolean | null;
                    };
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejectGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    comment?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestGateChanges: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What has to change. Everyone who sees the gate can read it. */
                    comment: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    overrideGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why it cannot wait. It becomes the `comment` of the gate, and is mailed to everyone who could have approved it. */
                    reason: string;
                    incident_url?: string | null;
                    assertion?: components["schemas"]["PasskeyAssertion"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reviewGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    comment?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeGate: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why the approval is no longer valid. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getGateAttestation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                gate_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attestation"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAttestations: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
                digest?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["ListedAttestation"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where it is to be deployed. */
                    environment: string;
                    /** @description The digest of the subject, `gitCommit:<hex>` or `sha256:<hex>`. */
                    digest: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeploymentVerdict"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSigningKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKey"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateSigningKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                org_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningKey"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeploymentHooks: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createDeploymentHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @description `workflow_done`: when a workflow completes; `gate_approved`: when a gate is approved.
                     * @enum {string}
                     */
                    trigger_on: "workflow_done" | "gate_approved";
                    /**
                     * @description `push`: dispatches are sent to `url`. `pull`: they wait until a CI system claims them; such a hook has neither `url` nor `headers`.
                     * @enum {string}
                     */
                    mode?: "push" | "pull";
                    /** @description Whether the service removes the hook, with its dispatches, when no agent has claimed from it for 24 hours. Only for a pull hook; it cannot be changed. */
                    temporary?: boolean;
                    /** @description http or https, without credentials. Required, except for a pull hook. */
                    url?: string;
                    secret?: string | null;
                    /** @description Default for a new hook: `production`. */
                    environment?: string;
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /** @description Default: true. Setting it to false cancels pending dispatches; setting it to true clears `disabled_reason`. */
                    enabled?: boolean;
                    max_age_seconds?: number | null;
                    /** @description Whether a new dispatch cancels older pending ones, so that a delayed deployment never overwrites a newer one. */
                    supersede?: boolean;
                    /** @description While true, dispatches are kept pending and none is lost. Tests are still sent. */
                    paused?: boolean;
                    report_within_seconds?: number | null;
                    /** @description The body that is sent instead of the envelope, as JSON of at most 32 KiB, nested at most 16 deep; null: the envelope. A string that is exactly `{{/pointer}}` becomes the value at that JSON Pointer (RFC 6901) in the envelope, of whatever type, or null if it is absent. Inside a longer string, `{{/pointer}}` becomes its text: nothing for null and what is absent, JSON for objects and arrays. `{{secret:name}}` is a value of `template_secrets`. `{{report:url}}` and `{{report:token}}` require `report_within_seconds`; in a `test.ping`, which has no rollout, they are empty. `{{{{` is a literal `{{`. Keys are not replaced, what was put in is not rendered again, and numbers stay as they are written (`1.0`, `12345678901234567890`). It applies to every event of the hook, also to `test.ping`. A rendered body larger than 1 MiB is not sent: its dispatch fails with `payload_too_large`. */
                    body_template?: unknown;
                    template_secrets?: {
                        [key: string]: string;
                    } | null;
                    filter?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description `hmac`: with a secret that the receiver has too. `ed25519`: with a private key that only the service has; receivers verify with `public_key`. It cannot be changed later. Default: `hmac`.
                     * @enum {string}
                     */
                    signature?: "hmac" | "ed25519";
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedHook"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeploymentHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateDeploymentHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /**
                     * @description `workflow_done`: when a workflow completes; `gate_approved`: when a gate is approved.
                     * @enum {string}
                     */
                    trigger_on?: "workflow_done" | "gate_approved";
                    /** @description http or https, without credentials. Required, except for a pull hook. */
                    url?: string;
                    secret?: string | null;
                    /** @description Default for a new hook: `production`. */
                    environment?: string;
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /** @description Default: true. Setting it to false cancels pending dispatches; setting it to true clears `disabled_reason`. */
                    enabled?: boolean;
                    max_age_seconds?: number | null;
                    /** @description Whether a new dispatch cancels older pending ones, so that a delayed deployment never overwrites a newer one. */
                    supersede?: boolean;
                    /** @description While true, dispatches are kept pending and none is lost. Tests are still sent. */
                    paused?: boolean;
                    report_within_seconds?: number | null;
                    /** @description The body that is sent instead of the envelope, as JSON of at most 32 KiB, nested at most 16 deep; null: the envelope. A string that is exactly `{{/pointer}}` becomes the value at that JSON Pointer (RFC 6901) in the envelope, of whatever type, or null if it is absent. Inside a longer string, `{{/pointer}}` becomes its text: nothing for null and what is absent, JSON for objects and arrays. `{{secret:name}}` is a value of `template_secrets`. `{{report:url}}` and `{{report:token}}` require `report_within_seconds`; in a `test.ping`, which has no rollout, they are empty. `{{{{` is a literal `{{`. Keys are not replaced, what was put in is not rendered again, and numbers stay as they are written (`1.0`, `12345678901234567890`). It applies to every event of the hook, also to `test.ping`. A rendered body larger than 1 MiB is not sent: its dispatch fails with `payload_too_large`. */
                    body_template?: unknown;
                    template_secrets?: {
                        [key: string]: string;
                    } | null;
                    filter?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description May be sent, but cannot be changed.
                     * @enum {string}
                     */
                    signature?: "hmac" | "ed25519";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hook"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDeploymentHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateDeploymentHookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description How long the old secret or private key also signs. Default: 86400. */
                    overlap_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedHook"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyDeploymentHookRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description All headers as received. Names are case-insensitive; the CGI form `HTTP_X_…` is accepted. */
                    headers: {
                        [key: string]: string;
                    };
                    /** @description The raw body as received, before parsing. */
                    body: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verdict"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewDeploymentHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Default: the event that `trigger_on` names.
                     * @enum {string}
                     */
                    event?: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                    /** @description Previewed instead of the hook's template; null: the envelope. */
                    body_template?: unknown;
                    filter?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testDeploymentHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    triggerDeploymentHook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    override?: {
                        reason: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rollbackDeployment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The version to return to. */
                    target_version: string;
                    reason?: string | null;
                    environment?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rollback"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rollback"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    recoverDispatches: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description ISO 8601 with `Z` or an offset of at most 14 hours, in the years 1 to 9999 (UTC). Seconds may be left out, and so may the colon of an offset. Digits after the milliseconds are dropped. */
                    since: string;
                    until?: string | null;
                    /** @description Only counts, without redelivering. */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovered"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recovered"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDispatches: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
                status?: "pending" | "succeeded" | "failed" | "cancelled";
                event?: "workflow.completed" | "gate.approved" | "deployment.rollback" | "test.ping" | "manual.trigger";
                rollout?: "awaiting" | "in_progress" | "succeeded" | "failed" | "unknown" | "not_delivered";
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["Dispatch"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDispatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                dispatch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DispatchDetail"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    redeliverDispatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                dispatch_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryDispatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                dispatch_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelDispatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                dispatch_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportRollout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                dispatch_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    state: "in_progress" | "succeeded" | "failed";
                    version?: string | null;
                    url?: string | null;
                    description?: string | null;
                    digest?: {
                        /** @description The id of a Git commit. */
                        gitCommit?: string;
                        /** @description The SHA-256 of an artifact, such as an OCI manifest. */
                        sha256?: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPullToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullToken"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    claimDispatches: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                hook_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Maximum number of dispatches. Default: 1. */
                    limit?: number;
                    /** @description Seconds to wait until a dispatch is due. Default: 0. */
                    wait?: number;
                    /** @description How long the claimed dispatches are leased to the caller. Default: 60. */
                    lease_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimedDispatch"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acknowledgeDispatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                dispatch_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `failed` ends the dispatch; `retry` makes it due again after the delay of the retry schedule.
                     * @enum {string}
                     */
                    outcome: "succeeded" | "failed" | "retry";
                    /** @description Shown as the `response_body` of the attempt, with secrets masked. At most 16 KiB. */
                    detail?: string;
                    /** @description ISO 8601 with `Z` or an offset of at most 14 hours, in the years 1 to 9999 (UTC). Seconds may be left out, and so may the colon of an offset. Digits after the milliseconds are dropped. */
                    lease_until: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispatch"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEnvironments: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Environment"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRollouts: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["EnvironmentRollout"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEnvironmentPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentPolicy"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateEnvironmentPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                project_id: string;
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    required_approvals?: number | null;
                    prevent_self_approval?: boolean | null;
                    expires_in_seconds?: number | null;
                    decide_via?: ("api" | "app" | "slack" | "mail")[] | null;
                    /** @description Groups whose members approve, each once. Replaces the list. */
                    approvers?: {
                        group_id: string;
                        /** @description How many members of the group must approve. */
                        count: number;
                    }[];
                    /** @description Whether gates for the environment must name what is to be deployed. */
                    require_subject?: boolean;
                    /** @description Whether gates for the environment need evidence with at least one check, and all of them passed. */
                    require_checks?: boolean;
                    /** @description Whether people who approve or override gates for the environment must confirm that with a passkey. They decide on the page of the gate, or through the API. */
                    require_passkey?: boolean;
                    /** @description Whether automatic dispatches to hooks of the environment are made only for an approved gate. */
                    gate_required?: boolean;
                    promotes_from?: string | null;
                    /** @description How long it must run there, from its first success; what is approved before waits until then. Needs `promotes_from`. */
                    soak_seconds?: number;
                    /** @description Whether Signalbox opens the gate for a subject that has run there so long. Needs `promotes_from`. */
                    open_gate?: boolean;
                    /** @description When nothing is deployed. Freezes that meet hold as one, and must end at some time. Replaces the list. */
                    freezes?: components["schemas"]["FreezeInput"][];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentPolicy"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteEnvironmentPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                project_id: string;
                environment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listComparisons: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        page: number;
                        page_size: number;
                        items: components["schemas"]["Comparison"][];
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The requirement of this project that both tracks implement. */
                    work_item_id: string;
                    /** @description The `graph_id` of the executions that form track a. */
                    track_a_graph_id: string;
                    /** @description The `graph_id` of the executions that form track b. */
                    track_b_graph_id: string;
                    /** @description The agent of track a; free text. */
                    track_a_agent: string;
                    /** @description The agent of track b; free text. */
                    track_b_agent: string;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                comparison_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                comparison_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    compareTracks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                comparison_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decideComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                comparison_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    winner: "a" | "b" | "tie";
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelComparison: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                comparison_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comparison"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotificationChannels: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /**
                     * @description Cannot be changed later.
                     * @enum {string}
                     */
                    channel_type: "slack" | "teams" | "feishu" | "webhook" | "email";
                    /** @description Depends on `channel_type`. A PUT changes only the given fields; `null` clears a field, and `"********"` keeps the stored secret. If the scheme, host or port changes, stored secrets must be sent again or cleared. For `bot_token`, the whole `api_url` counts. */
                    config: components["schemas"]["SlackConfig"] | components["schemas"]["TeamsConfig"] | components["schemas"]["FeishuConfig"] | components["schemas"]["WebhookConfig"] | components["schemas"]["EmailConfig"];
                    /** @default true */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                workspace_id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /**
                     * @description May be sent, but cannot be changed.
                     * @enum {string}
                     */
                    channel_type?: "slack" | "teams" | "feishu" | "webhook" | "email";
                    /** @description Depends on `channel_type`. A PUT changes only the given fields; `null` clears a field, and `"********"` keeps the stored secret. If the scheme, host or port changes, stored secrets must be sent again or cleared. For `bot_token`, the whole `api_url` counts. */
                    config?: components["schemas"]["SlackConfig"] | components["schemas"]["TeamsConfig"] | components["schemas"]["FeishuConfig"] | components["schemas"]["WebhookConfig"] | components["schemas"]["EmailConfig"];
                    /** @description `false` cancels pending messages. */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationChannel"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                workspace_id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationLogEntry"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationLogEntry"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The name of an [event](/docs/events), a family such as `gate.*`, or `*` for all events. */
                    event_pattern: string;
                    filter_project_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. `Location` is the path of the new resource. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                workspace_id: string;
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotificationLog: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationLogEntry"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getApiDescription: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/yaml": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateApiDescription: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/yaml": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiDescription"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeliverables: {
        parameters: {
            query?: {
                limit?: number;
                after?: string;
                deliverable_type?: "changelog" | "project_summary" | "deployment_guide" | "api_docs" | "user_manual";
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliverableSummary"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    generateDeliverable: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description `wait=N`: respond when the work has finished, or after N seconds (at most 25). While many requests of a caller wait, they may be answered a few seconds later. */
                Prefer?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind of document.
                     * @enum {string}
                     */
                    deliverable_type: "changelog" | "project_summary" | "deployment_guide" | "api_docs" | "user_manual";
                    requirement_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliverable"];
                };
            };
            /** @description Accepted; in progress. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliverable"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeliverable: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path: {
                deliverable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliverable"];
                    "text/markdown": string;
                    "text/html": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteDeliverable: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path: {
                deliverable_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    publishDeliverable: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                deliverable_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliverable"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    archiveDeliverable: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                deliverable_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliverable"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                page?: number;
                page_size?: number;
                after?: string;
                unread_only?: boolean;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markAllNotificationsRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description ISO 8601 with `Z` or an offset of at most 14 hours, in the years 1 to 9999 (UTC). Seconds may be left out, and so may the colon of an offset. Digits after the milliseconds are dropped. */
                    before?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        updated: number;
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    markNotificationRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
            };
            path: {
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getNotificationPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateNotificationPreferences: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The request is rejected with 412 if the resource has changed since. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Whether to send e-mail. Only verified addresses receive mail. */
                    email_enabled?: boolean;
                    /** @description Whether the events of the stream contain `desktop: true`. */
                    desktop_enabled?: boolean;
                    /** @description The types to deliver. Other types are not delivered in any form. */
                    types?: ("gate_pending" | "changes_requested" | "gate_overridden" | "execution_completed" | "execution_failed" | "budget_alert" | "invitation_received" | "member_added" | "deployment_failed")[];
                    /** @description The types to send by e-mail as well. The unsubscribe link in each mail removes its type. */
                    email_types?: ("gate_pending" | "changes_requested" | "gate_overridden" | "execution_completed" | "execution_failed" | "budget_alert" | "invitation_received" | "member_added" | "deployment_failed")[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event that you received. The stream continues after it. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: {
                q?: string;
                type?: "organization" | "project" | "requirement" | "gate" | "deployment_hook";
                limit?: number;
            };
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"][];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unsubscribe: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description `gate_pending`: A gate awaits review. Sent to the admins of its workspace, and to the members of the groups that it names. `changes_requested`: Changes were requested at a gate. Sent to the user who started its execution; without an execution, to the one who opened it. `gate_overridden`: A gate was overridden, or that waits for a review for a day. The former is sent to everyone who could have approved the gate, the latter to the owner and admins of the organization. `execution_completed`: An execution is completed. Sent to the user who started it and the author of its requirement. `execution_failed`: An execution failed. Sent to the user who started it and the author of its requirement. `budget_alert`: A budget exceeds its alert threshold or its limit. For an organization's budget, sent to its owner and admins; for a workspace's, to its admins. `invitation_received`: You are invited to an organization. The invitation has a mail of its own. `member_added`: A user became a member, or the owner. Sent to that user; of a new member, to the owner too, unless the owner added the user. `deployment_failed`: A dispatch was given up, or a rollout failed or was not reported in time. Sent to those who approved its gate, requested it or started its execution; if there are none, to the admins of the workspace.
                         * @enum {string}
                         */
                        type: "gate_pending" | "changes_requested" | "gate_overridden" | "execution_completed" | "execution_failed" | "budget_alert" | "invitation_received" | "member_added" | "deployment_failed";
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveSlackInteraction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    authorizeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceAuthorization"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeClientToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOAuthServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthServerMetadata"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getOAuthResourceMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthResourceMetadata"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMcpResourceMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthResourceMetadata"];
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sendMcpMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The response is stored for 24 hours, and a repeated request with the same key gets it again, if you still have access to its content. */
                "Idempotency-Key"?: string;
                /** @description The id of the last event that you received. The stream continues after it. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "text/event-stream": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "alive";
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ready";
                    };
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description The last ETag that you received. The response is 304 if nothing has changed. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                    "text/plain": string;
                };
            };
            /** @description A problem (RFC 9457). */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
