// Whether the downloads of this user leave encrypted ([R205]). The server decides; this is the same rule for the screens.
import { exemptRight, hasRight, rights } from '@cloudoc/domain'
import { sessionStore } from '../../core/session/session.ts'

/** Whether a download of these items is an encrypted file. */
export function isDownloadEncrypted(items: readonly { readonly rights?: number }[]): boolean {
  const setting = sessionStore.getState().session?.setting
  if (setting?.encryption_download !== true || !/^win/i.test(navigator.platform)) return false
  const needed = exemptRight(setting.encryption_exempt)
  return needed === undefined || !items.every(({ rights: own = 0 }) => hasRight(rights(own), needed))
}
