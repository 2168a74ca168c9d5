// Links ([R121]): creating them and opening their targets.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { ItemRef } from '../item/item.ts'
import { currentItem } from '../lists/lists.ts'
import { type BatchCall, notifyFailure, put, type Target } from './operations.ts'

/** Creates links to the items in a folder that the user picks. Links get a numbered name where the name is taken. */
export async function makeLinks(items: readonly ItemRecord[]): Promise<void> {
  const target = await openWindow('drive-folder-pick', {
    title: t('drive.link.where'),
    hint: t('drive.link.hint'),
    verb: 'link',
    at: items[0]?.parentFolderId,
  })
  if (target !== undefined) await linkInto(items, target)
}

/** Creates links in a folder to items that the user picks. */
export async function makeLinksInFolder(target: Target): Promise<void> {
  const items = await openWindow('drive-item-pick', {
    title: t('drive.link.what'),
    hint: t('drive.link.hint'),
    what: 'both',
    multiple: true,
  })
  if (items !== undefined) await linkInto(items, target)
}

async function linkInto(items: readonly ItemRecord[], target: Target): Promise<void> {
  const call: BatchCall = (ids, on) => on.fileOrFolderLink({ ...ids, targetFolderId: target.fId, conflict: 'keepBoth' })
  await put(items, target, call, {
    shortcuts: true,
    failed: t('drive.link.failed'),
    done: (name) => t('drive.link.made', { name, target: target.fName }),
    undone: (name) => t('drive.link.unmade', { name }),
  })
}

/** Returns the current target of a link. Shows a message and returns undefined if the link is broken. */
export async function resolveLink({
  serverId,
  fId,
  fType,
  fName,
}: ItemRef & Pick<ItemRecord, 'fName'>): Promise<ItemRecord | undefined> {
  try {
    const target = fId === 0 ? undefined : await currentItem({ serverId, fId, fType })
    if (target === undefined) notifyFailure(t('drive.link.broken', { name: fName }))
    return target
  } catch (error) {
    notifyFailure(error)
    return undefined
  }
}
