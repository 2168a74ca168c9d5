/*
 * Encrypts data stored on this computer with a non-extractable browser key (X59): a copy of the database cannot be
 * decrypted anywhere else. Pages on plain HTTP have no such keys, and store the data unencrypted. Therefore none of it
 * is valid without the cookie of this browser (docs/adr/0054).
 */
import type { DBSchema } from 'idb'
import { connection } from './database.ts'

interface SealTables extends DBSchema {
  key: { key: string; value: CryptoKey }
}

const name = 'clouddoc-seal'
const mark = 'sealed:'
const algorithm = 'AES-GCM'
const ivBytes = 12

/** The key of this browser, created at first use. If two tabs create one, the first is used. */
async function sealingKey(): Promise<CryptoKey> {
  const db = await connection<SealTables>(name, { version: 1, make: (made) => void made.createObjectStore('key') })
  const known = await db.get('key', 'seal')
  if (known !== undefined) return known
  const made = await crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt'])
  const tx = db.transaction('key', 'readwrite')
  const first = await tx.store.get('seal')
  if (first === undefined) await tx.store.put(made, 'seal')
  await tx.done
  return first ?? made
}

const toText = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))

// The type declares it as always present, but it is missing on pages without a secure context.
const canSeal = (): boolean => (crypto as Partial<Crypto>).subtle !== undefined

/** The stored form of a text: encrypted if the browser supports it. */
export async function seal(text: string): Promise<string> {
  if (text === '' || !canSeal()) return text
  try {
    const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
    const sealed = await crypto.subtle.encrypt(
      { name: algorithm, iv },
      await sealingKey(),
      new TextEncoder().encode(text),
    )
    return `${mark}${toText(iv)}.${toText(new Uint8Array(sealed))}`
  } catch {
    // The browser cannot store keys.
    return text
  }
}

/** Whether a stored text is encrypted. */
export function isSealed(kept: string): boolean {
  return kept.startsWith(mark)
}

/** The decrypted text; undefined if this browser can no longer decrypt it. */
export async function unseal(kept: string): Promise<string | undefined> {
  if (!isSealed(kept)) return kept
  try {
    const [iv = '', sealed = ''] = kept.slice(mark.length).split('.')
    const opened = await crypto.subtle.decrypt(
      { name: algorithm, iv: toBytes(iv) },
      await sealingKey(),
      toBytes(sealed),
    )
    return new TextDecoder().decode(opened)
  } catch {
    return undefined
  }
}
