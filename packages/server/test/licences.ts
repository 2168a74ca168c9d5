// Issues licence files for tests.
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Licence } from '@cloudoc/contract'

const dayMs = 24 * 60 * 60_000

/** An issuer of licences with a key of its own. */
export function licenceIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    /** Signs a licence: of the company, for any installation, for a year and 7 days of grace, unless told otherwise. */
    issue(now: number, given: Partial<Licence> = {}, head: object = { alg: 'EdDSA' }): string {
      const licence: Licence = {
        licenceId: 'HX-2026-0630-A1F7',
        customer: '华信集团',
        scope: 'company',
        installation: '',
        from: now - dayMs,
        until: now + 365 * dayMs,
        graceDays: 7,
        seats: 0,
        workspaces: 0,
        ...given,
      }
      const signed = `${part(head)}.${part(licence)}`
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
    },
  }
}
