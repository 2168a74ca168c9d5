/*
 * Encrypted downloads ([R132], [R205]): on Windows a download leaves as an age file (.cld), where the setting
 * `encryption_download` says so. Its key is sealed by a secret of this installation together with the items that it
 * belongs to, so that nothing has to be stored for each download. The key is given back to whoever may have the items
 * without encryption.
 */
import {
  encryptedFormat,
  encryptedStanza,
  exemptRight,
  type Facts,
  fail,
  hasRight,
  isWindowsClient,
} from '@cloudoc/domain'
import { Decrypter, Encrypter, type ReadableStreamWithSize, Stanza } from 'age-encryption'
import type { Access } from '../../core/access.ts'
import type { Context } from '../../core/call/context.ts'
import { type Secrets, seal, unseal } from '../../core/secrets.ts'

type Sealing = Pick<Secrets, 'signingKey' | 'installation'>

const purpose = 'encrypted download'

/** Encrypts the content of one response. */
export interface Encryption {
  /** Fails with `encryptionFailed` before the first byte. */
  readonly encrypt: (content: ReadableStream<Uint8Array>) => Promise<ReadableStreamWithSize>
}

/** What a key belongs to. */
interface Sealed {
  readonly files: string
  readonly version: number
  readonly key: string
}

/** Creates the encryption of a response with these items. */
export function encryptionOf(secrets: Sealing, files: string, version: number): Encryption {
  const encrypter = new Encrypter()
  encrypter.addRecipient({
    wrapFileKey(fileKey) {
      const told: Sealed = { files, version, key: Buffer.from(fileKey).toString('base64') }
      const args = [encryptedStanza, encryptedFormat, secrets.installation, files, String(version)]
      return [new Stanza(args, Buffer.from(seal(secrets, purpose, JSON.stringify(told)), 'base64'))]
    },
  })
  return {
    async encrypt(content) {
      try {
        return await encrypter.encrypt(content)
      } catch {
        return fail('encryptionFailed')
      }
    },
  }
}

/** Returns the key of an encrypted download of exactly these items. Fails if this server has not made the header. */
export async function keyOf(secrets: Sealing, header: string, files: string): Promise<Uint8Array> {
  const decrypter = new Decrypter()
  decrypter.addIdentity({
    unwrapFileKey(stanzas) {
      const own = stanzas.find(({ args: [kind] }) => kind === encryptedStanza)
      if (own === undefined) return null
      const told = JSON.parse(unseal(secrets, purpose, Buffer.from(own.body).toString('base64'))) as Sealed
      return told.files === files ? Buffer.from(told.key, 'base64') : null
    },
  })
  try {
    return await decrypter.decryptHeader(Buffer.from(header, 'latin1'))
  } catch {
    return fail('encryptionFailed')
  }
}

/** Whether this response has to be encrypted: on Windows, unless the caller is exempt for all of the items. */
export function needsEncryption(context: Context, taken: readonly { readonly facts: Facts }[]): boolean {
  if (context.actor?.kind !== 'account') return false
  const { encryption_download: isOn, encryption_exempt: exempt } = context.actor.settings.setting
  if (!isOn || !isWindowsClient(context.request.headers)) return false
  const needed = exemptRight(exempt)
  return needed === undefined || !taken.every(({ facts }) => hasRight(facts.rights, needed))
}

/** The list of items as their keys name it. */
export const filesOf = (taken: readonly Access[]): string =>
  taken.map(({ row }) => `${row.f_type === 1 ? 'fi' : 'fo'}_${row.id}`).join(',')

/** The encryption of each response that has one. Every way of sending content asks here, so that none leaves it out. */
const encryptions = new WeakMap<object, Encryption>()

/** Has the response of this request encrypted, if it has to be. Returns whether it is. */
export function encryptReply(context: Context, secrets: Sealing, taken: readonly Access[], version = 0): boolean {
  if (!needsEncryption(context, taken)) return false
  encryptions.set(context.reply, encryptionOf(secrets, filesOf(taken), version))
  return true
}

/** The encryption of the response of this request; undefined if it has none. */
export const encryptionOfReply = ({ reply }: Pick<Context, 'reply'>): Encryption | undefined => encryptions.get(reply)
