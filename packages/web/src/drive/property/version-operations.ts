// Operations on the versions of a file.

import type { Answer, calls, ItemRecord } from '@cloudoc/contract'
import { splitName } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { type ActionContext, evaluate, rules } from '../../items/actions/actions.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { previewFile } from '../../items/actions/preview-file.ts'
import { notifyRefusal } from '../../items/actions/refusals.ts'
import { keyOf } from '../../items/item/item.ts'
import { itemsChanged } from '../../items/lists/lists.ts'
import { downloadVersion } from '../../transfer/tasks/download.ts'
import { downloadItems } from '../../transfer/tasks/menu.tsx'
import { isComparable } from '../../viewing/compare/comparable.ts'

export type Version = Answer<typeof calls.getVersionList>['list'][number]

type VersionCounts = Pick<Answer<typeof calls.getVersionList>, 'total' | 'namedTotal' | 'keptVersions'>

/** Whether a file has more versions than its library retains. The surplus is deleted soon. */
export const isThinned = ({ total, namedTotal, keptVersions }: VersionCounts): boolean =>
  keptVersions > 0 && total - namedTotal > keptVersions

/** Milliseconds until versions are read again, if some are about to be deleted. */
export const untilThinned = (kept: VersionCounts | undefined): number | false =>
  kept !== undefined && isThinned(kept) ? 1500 : false

/** The operations that the user may run on the versions of a file. */
export interface VersionPermissions {
  readonly preview: boolean
  readonly compare: boolean
  readonly change: boolean
  readonly describe: boolean
  readonly remove: boolean
  readonly copy: boolean
}

export function versionPermissions(item: ItemRecord, context: ActionContext): VersionPermissions {
  const is = (rule: Parameters<typeof evaluate>[0]): boolean => evaluate(rule, [item], context).enabled
  const preview = is(rules.preview)
  return {
    preview,
    compare: preview && isComparable(item.fName),
    change: is({ gate: 'newVersion', count: 'one', writes: true }),
    describe: is({ gate: 'edit', count: 'one', writes: true }),
    remove: is({ gate: 'delete', count: 'one', writes: true }),
    copy: is(rules.copy),
  }
}

/** Refetches everything that shows the file. */
async function refresh(item: ItemRecord): Promise<void> {
  await Promise.all(
    [
      ['drive', 'versions', keyOf(item)],
      ['drive', 'previewed', keyOf(item)],
      ['drive', 'property', keyOf(item)],
      ['drive', 'log', keyOf(item)],
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}

async function done(item: ItemRecord, work: Promise<unknown>, said: string): Promise<boolean> {
  try {
    await work
    toast({ kind: 'success', text: said })
    return true
  } catch (error) {
    notifyFailure(error)
    return false
  } finally {
    await refresh(item)
  }
}

/** Opens a version in the full-window previewer. */
export function previewVersion(item: ItemRecord, { version, fileSize }: Version, context: ActionContext): void {
  void openWindow('previewer', { fileInfo: { ...previewFile(item, context), fileSize, version }, isUseVersion: true })
}

/**
 * Downloads a version. If the user may only preview, shows it. Otherwise says why not, and offers what can be done about
 * it ([R170], [R145]).
 */
export async function takeVersion(item: ItemRecord, version: Version, context: ActionContext): Promise<void> {
  const { enabled, reason = 'noPermission' } = evaluate(rules.download, [item], context)
  if (enabled) return downloadVersion({ ...item, fileSize: version.fileSize }, version.version)
  if (evaluate(rules.preview, [item], context).enabled) return previewVersion(item, version, context)
  notifyRefusal({ action: downloadItems, reason, items: [item], selectOne: () => undefined, context })
}

export async function restoreVersion(item: ItemRecord, version: number): Promise<boolean> {
  const sure = await confirmBox({
    text: t('property.ask.restore', { n: version }),
    detail: t('property.ask.restoreMore', { next: item.version + 1 }),
    ok: t('property.restore'),
    remindKey: 'restore-version',
  })
  if (!sure) return false
  return done(
    item,
    api.of(item).setLatestVersion({ fileId: item.fId, version }),
    t('property.restored', { n: version }),
  )
}

/** Saves a version as a separate file in a folder that the user picks. */
export async function saveVersionAs(item: ItemRecord, version: number): Promise<void> {
  const { base, ext } = splitName(item.fName)
  const fileName = t('property.saveAsName', { base, n: version }) + (ext === '' ? '' : `.${ext}`)
  const target = await openWindow('drive-folder-pick', {
    title: t('property.saveAsTitle', { n: version }),
    hint: t('property.saveAsHint', { name: fileName }),
    verb: 'copy',
    at: item.parentFolderId,
  })
  if (target === undefined) return
  try {
    const made = await api.of(item).saveVersionAs({ fileId: item.fId, version, folderId: target.fId, fileName })
    itemsChanged([{ serverId: item.serverId, fType: 1, fId: made.fileId }], [target.fId])
    toast({ kind: 'success', text: t('property.savedAs', { name: made.fName, folder: target.fName }) })
  } catch (error) {
    notifyFailure(error)
  }
}

export async function removeVersion(item: ItemRecord, { version, versionName }: Version): Promise<boolean> {
  const sure = await confirmBox({
    text: t('property.ask.delete', { n: version }),
    detail: versionName === '' ? t('property.ask.deleteMore') : t('property.ask.deleteNamed', { name: versionName }),
    ok: t('property.delete'),
    danger: true,
  })
  if (!sure) return false
  return done(item, api.of(item).deleteVersion({ fileId: item.fId, version }), t('property.deleted', { n: version }))
}

export function describeVersion(
  item: ItemRecord,
  version: number,
  said: { readonly comment: string } | { readonly versionName: string },
): Promise<boolean> {
  return done(item, api.of(item).updateVersionComment({ fileId: item.fId, version, ...said }), t('property.said'))
}
