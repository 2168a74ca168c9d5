/*
 * What only this browser knows of an item: how what it keeps of files that were edited here stands to the server's
 * ([R129], [R176]), and what it transfers at the moment. Both are bits of the item's status ([R133]: conflict, loading)
 * and are drawn at its icon and name. The records of edits are read behind the first screen
 * (editing/recovery/edit-cleanup.ts); until then nothing is known to be kept.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { CopyStatus, copyStatus, EditState, hasStatus, type ItemStatus, itemStatus } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { t } from '../../core/i18n/i18n.ts'
import { StatusChip } from '../../kit/chips.tsx'
import { isFolder, keyOf } from './item.ts'

/** The local copy of a file that was edited in this browser. */
export interface LocalCopy {
  readonly state: number
  readonly version: number
}

/** The local copies of files that were edited in this browser, by file id. */
export const localCopiesStore = createStore<ReadonlyMap<number, LocalCopy>>(() => new Map())

/** The items that this browser transfers at the moment, by key; the transfers fill it. */
export const transferredItemsStore = createStore<ReadonlySet<string>>(() => new Set())

/** Returns the status of an item with the bits that this browser knows ([R133]). */
export function localStatusBits(
  item: ItemRecord,
  copy: LocalCopy | undefined,
  transferred: ReadonlySet<string>,
): ItemStatus {
  // Submitting a change that was made on an older version than the server's asks what to do ([R174]).
  const isBehind = copy !== undefined && copy.state === EditState.changed && copy.version < item.version
  return itemStatus(
    item.itemStatus,
    ...(isBehind ? (['conflict'] as const) : []),
    ...(transferred.has(keyOf(item)) ? (['loading'] as const) : []),
  )
}

const useCopy = (item: ItemRecord): LocalCopy | undefined =>
  useStore(localCopiesStore, (copies) => (isFolder(item) || item.serverId !== 0 ? undefined : copies.get(item.fId)))

function useStatusHere(item: ItemRecord): ItemStatus {
  const copy = useCopy(item)
  return useStore(transferredItemsStore, (transferred) => localStatusBits(item, copy, transferred))
}

/** Says beside the name that a local change conflicts with the server's version. */
export function ConflictChip({ item }: { readonly item: ItemRecord }): ReactNode {
  return hasStatus(useStatusHere(item), 'conflict') && <StatusChip>{t('drive.status.conflict')}</StatusChip>
}

/**
 * Returns the text for the copy status on the icon of a file. Status 1 has no text. For a status that this client does
 * not know, a generic text is returned.
 */
export function copyStatusLabel(status: number): string {
  switch (status) {
    case 1:
      return ''
    case CopyStatus.cached:
      return t('editor.copy.2')
    case CopyStatus.newerOnCloud:
      return t('editor.copy.3')
    case CopyStatus.notSubmitted:
      return t('editor.copy.4')
    case CopyStatus.newerHere:
      return t('editor.copy.5')
    default:
      console.error('a file has a status that this client does not know', status)
      return ''
  }
}

/**
 * An icon with its overlays. For a file that was edited in this browser, the overlay shows the copy status and opens
 * the unsubmitted changes. An item that is being transferred has a turning ring.
 */
export function IconStack({ item, children }: { readonly item: ItemRecord; readonly children: ReactNode }): ReactNode {
  const copy = useCopy(item)
  const status = useStatusHere(item)
  const copied = copy === undefined ? 1 : copyStatus(copy, item.version)
  const isLoading = hasStatus(status, 'loading')
  const isConflict = hasStatus(status, 'conflict')
  const words = isConflict ? t('drive.status.conflictMore') : copyStatusLabel(copied)
  const title = [words, isLoading ? t('drive.status.loading') : ''].filter((text) => text !== '').join('\n')
  return (
    <span className="dr-icon-stack" title={title || undefined}>
      {children}
      {copied === CopyStatus.notSubmitted && (
        <svg
          className={isConflict ? 'dr-copy-sign is-conflict' : 'dr-copy-sign'}
          width="10"
          height="10"
          viewBox="0 0 10 10"
          role="img"
          aria-label={words}
        >
          <circle cx="5" cy="5" r="4" />
        </svg>
      )}
      {isLoading && (
        <svg
          className="dr-loading-sign"
          width="10"
          height="10"
          viewBox="0 0 10 10"
          role="img"
          aria-label={t('drive.status.loading')}
        >
          <circle cx="5" cy="5" r="3.75" />
        </svg>
      )}
    </span>
  )
}
