// Links ([R121]): making them, and going where they lead.
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import type { ItemRef, idArrays } from '../item/item.ts'
import { currentItem } from '../lists/lists.ts'
import { notifyFailure, put, type Target } from './operations.ts'

/** Puts links to the items into a folder that the person picks, under numbered names where theirs are taken. */
export async function makeLinks(items: readonly ItemRecord[]): Promise<void> {
  const target = await openWindow('drive-folder-pick', {
    title: t('drive.link.where'),
    hint: t('drive.link.hint'),
    verb: 'link',
    at: items[0]?.parentFolderId,
  })
  if (target !== undefined) await linkInto(items, target)
}

/** Puts links to items that the person picks into a folder. */
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
  const call = (ids: ReturnType<typeof idArrays>) =>
    api.fileOrFolderLink({ ...ids, targetFolderId: target.fId, conflict: 'keepBoth' })
  await put(items, target, call, {
    shortcuts: true,
    failed: t('drive.link.failed'),
    done: (name) => t('drive.link.made', { name, target: target.fName }),
    undone: (name) => t('drive.link.unmade', { name }),
  })
}

/** What a link leads to, as it is now; says so and answers nothing where it leads nowhere. */
export async function resolveLink({
  fId,
  fType,
  fName,
}: ItemRef & Pick<ItemRecord, 'fName'>): Promise<ItemRecord | undefined> {
  try {
    const target = fId === 0 ? undefined : await currentItem({ fId, fType })
    if (target === undefined) notifyFailure(t('drive.link.broken', { name: fName }))
    return target
  } catch (error) {
    notifyFailure(error)
    return undefined
  }
}
