// The body of loginInEncrypt: base64(RSA-OAEP-SHA256(JSON {userName, password, captcha?, nonce})) ([R016]).
import type { Input } from '@cloudoc/contract'
import { api, type Catalogue } from '../call/api.ts'
import { clientTypeOfPage } from './phone.ts'

interface Credentials {
  readonly userName: string
  readonly password: string
  readonly captcha?: string
  readonly visitor?: boolean
  readonly factorCode?: string
}

/** The maximum number of bytes for RSA-OAEP-SHA256 with a 2048-bit key. */
const mostBytes = 190

/** The encrypted credentials. Undefined if the browser cannot encrypt, or the credentials are too long. */
export async function encryptCredentials(
  credentials: Credentials,
): Promise<Input<Catalogue['loginInEncrypt']> | undefined> {
  // Undefined outside secure contexts, in spite of its declared type.
  const subtle: SubtleCrypto | undefined = crypto.subtle
  if (subtle === undefined) return undefined
  const { publicKey, csrf_token, nonce } = await api.getLoginKey2({ clientType: clientTypeOfPage() }, { quiet: true })
  const plain = new TextEncoder().encode(JSON.stringify({ ...credentials, nonce }))
  if (plain.length > mostBytes) return undefined
  const key = await subtle.importKey('spki', fromPem(publicKey), { name: 'RSA-OAEP', hash: 'SHA-256' }, false, [
    'encrypt',
  ])
  const cipher = await subtle.encrypt({ name: 'RSA-OAEP' }, key, plain)
  return { csrf_token, clientType: clientTypeOfPage(), body: toBase64(new Uint8Array(cipher)) }
}

function fromPem(pem: string): Uint8Array<ArrayBuffer> {
  const base64 = pem.replaceAll(/-----[^-]+-----|\s/g, '')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
