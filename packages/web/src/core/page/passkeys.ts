/** Whether the browser offers passkeys to this page: of https, or of this machine, and with a name as its address. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^(\d+\.){3}\d+$|^\[/.test(location.hostname)
