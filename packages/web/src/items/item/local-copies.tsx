/*
 * How what this browser keeps of files that were edited here stands to the server's ([R129], [R176]), as their icons show it.
 * The records are read behind the first screen (editing/recovery/edit-cleanup.ts); until then nothing is known to be kept.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { CopyStatus, copyStatus } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { t } from '../../core/i18n/i18n.ts'
import { isFolder } from './item.ts'

/** The local copy of a file that was edited in this browser. */
export interface LocalCopy {
  readonly state: number
  readonly version: number
}

/** The local copies of files that were edited in this browser, by file id. */
export const localCopiesStore = createStore<ReadonlyMap<number, LocalCopy>>(() => new Map())

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
 * the unsubmitted changes.
 */
export function IconStack({ item, children }: { readonly item: ItemRecord; readonly children: ReactNode }): ReactNode {
  const copy = useStore(localCopiesStore, (copies) => (isFolder(item) ? undefined : copies.get(item.fId)))
  const status = copy === undefined ? 1 : copyStatus(copy, item.version)
  const words = copyStatusLabel(status)
  return (
    <span className="dr-icon-stack" title={words || undefined}>
      {children}
      {status === CopyStatus.notSubmitted && (
        <svg className="dr-copy-sign" width="10" height="10" viewBox="0 0 10 10" role="img" aria-label={words}>
          <circle cx="5" cy="5" r="4" />
        </svg>
      )}
    </span>
  )
}
