// Operations that set conditions beyond rights, with their confirmation.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { change } from '../actions/operations.ts'
import { levelsOf, type SecretChoice } from './levels.tsx'

/** Sets the secret level of files. Returns true if it was set for at least one. */
export async function setSecretLevels(items: readonly ItemRecord[], choice: SecretChoice): Promise<boolean> {
  const done = await change(
    items,
    ({ fileIdArray }, on) => on.setSecretLevel({ fileIdArray, ...choice }),
    t('drive.secret.failed'),
  )
  const { session } = sessionStore.getState()
  const name = session === undefined ? '' : (levelsOf(session, t)[choice.secretLevel]?.name ?? '')
  if (done.length > 0) toast({ kind: 'success', text: t('drive.secret.done', { n: done.length, name }) })
  return done.length > 0
}

/** Makes folders read-only or writable again. */
export async function setReadOnly(items: readonly ItemRecord[], readOnly: boolean): Promise<boolean> {
  const done = await change(
    items,
    ({ folderIdArray }, on) => on.setFolderReadOnly({ folderIdArray, readOnly }),
    t('drive.readOnly.failed'),
  )
  if (done.length > 0)
    toast({ kind: 'success', text: t(readOnly ? 'drive.readOnly.done' : 'drive.readOnly.ended', { n: done.length }) })
  return done.length > 0
}

/** Makes documents restricted or removes the restriction. */
export async function setRestricted(items: readonly ItemRecord[], restricted: boolean): Promise<void> {
  const done = await change(
    items,
    ({ fileIdArray, folderIdArray }, on) => on.setDocRestricted({ fileIdArray, folderIdArray, restricted }),
    t('drive.restrict.failed'),
  )
  if (done.length === 0) return
  toast({ kind: 'success', text: t(restricted ? 'drive.restrict.done' : 'drive.restrict.ended', { n: done.length }) })
}

/** Closes items to external links, or opens them again ([R231]). */
export async function setClosedToLinks(items: readonly ItemRecord[], disabled: boolean): Promise<void> {
  const done = await change(
    items,
    ({ fileIdArray, folderIdArray }, on) => on.setExternalLinkDisabled({ fileIdArray, folderIdArray, disabled }),
    t('drive.closedToLinks.failed'),
  )
  if (done.length === 0) return
  const text = t(disabled ? 'drive.closedToLinks.done' : 'drive.closedToLinks.ended', { n: done.length })
  toast({ kind: 'success', text })
}
