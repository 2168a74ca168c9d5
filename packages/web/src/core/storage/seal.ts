/*
 * Seals what lies on this computer with a key that the browser does not give out (X59): a copy of the database opens it
 * nowhere else. Pages on plain HTTP have no such keys; there what is kept stays as it is, which is why none of it counts
 * without the cookie of this browser (docs/adr/0054).
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

/** The key of this browser, made when it is first asked for; of two tabs that make one the first is kept. */
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

// Typed as always there, which holds on secure pages alone.
const canSeal = (): boolean => (crypto as Partial<Crypto>).subtle !== undefined

/** A text as it is kept: sealed where the browser can. */
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
    // A browser that keeps no keys.
    return text
  }
}

/** Whether a kept text is sealed. */
export function isSealed(kept: string): boolean {
  return kept.startsWith(mark)
}

/** What was sealed; undefined where this browser cannot open it any more. */
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
