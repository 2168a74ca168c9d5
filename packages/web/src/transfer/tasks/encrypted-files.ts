/*
 * Opening encrypted downloads (.cld, [R132]) from the disk: the items of the file are listed and shown by the server, to
 * whoever may still see them. Whoever may have the items without encryption can save the original.
 */
import { encryptedExt, longestEncryptedHeader, mainServerId, readEncryptedHeader, splitName } from '@cloudoc/domain'
import { api, mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { withProgressToast } from '../../core/toast/progress-toast.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { saveBlob } from './browser-download.ts'

/** Asks for a file of this computer, and opens it. */
export function chooseEncryptedFile(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = `.${encryptedExt}`
  input.onchange = () => {
    const [file] = input.files ?? []
    if (file !== undefined) void openEncryptedFile(file)
  }
  input.click()
}

/** Opens an encrypted download. */
export async function openEncryptedFile(file: File): Promise<void> {
  const start = await file.slice(0, longestEncryptedHeader).arrayBuffer()
  const header = readEncryptedHeader(new Uint8Array(start))
  if (header === undefined) return toast({ text: t('drive.transfer.notEncrypted', { name: file.name }), kind: 'error' })
  const items = header.files.split(',').map((one) => {
    const fType = one.startsWith('fo_') ? 2 : 1
    return { serverId: mainServerId, fType, fId: Number(one.slice(3)), fName: splitName(file.name).base } as const
  })
  const chosen = await openWindow('cloudoc-dmcdFilelist', { items, use: 'encrypted', version: header.version })
  if (chosen === undefined) return
  try {
    await withProgressToast('decrypt', t('drive.transfer.decrypting'), decrypt(file, header))
  } catch (error) {
    notifyFailure(error)
  }
}

/** Saves the original of an encrypted download. */
async function decrypt(file: File, { files, text }: { readonly files: string; readonly text: string }): Promise<void> {
  const { key } = await api.of(mainServer).getEncryptedKey({ files, header: text })
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  const fileKey = Uint8Array.from(atob(key), (char) => char.charCodeAt(0))
  decrypter.addIdentity({ unwrapFileKey: () => fileKey })
  const plain = await decrypter.decrypt(file.stream())
  // The name of the original is that of the file, without its last extension.
  saveBlob(await new Response(plain).blob(), splitName(file.name).base)
}
