/**
 * The field that the script puts what a passkey has answered into.
 *
 * @param isOffered whether browsers offer passkeys where the address is typed
 */
export const PasskeyField = ({ name = 'assertion', isOffered }: { name?: 'assertion' | 'credential'; isOffered?: boolean }) => (
  <>
    <input type="hidden" name={name} data-passkey-offer={isOffered} />
    <noscript>
      <p class="hint">Passkeys need JavaScript, which is off in this browser.</p>
    </noscript>
  </>
)
