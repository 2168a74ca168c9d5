import { extNameOf } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { FileIcon, FolderIcon } from '../file-icon.tsx'
import { nameParts } from '../item.ts'

interface ItemLineProps {
  readonly name: string
  readonly isFolder: boolean
  readonly note?: string
}

/** An item in a dialog's list, with a word about it. */
export function ItemLine({ name, isFolder, note }: ItemLineProps): ReactNode {
  const { head, tail } = nameParts(name, isFolder)
  return (
    <li className="dr-item-line">
      {isFolder ? <FolderIcon /> : <FileIcon ext={extNameOf(name)} />}
      <span className="dr-mid" title={name}>
        <span>{head}</span>
        <span>{tail}</span>
      </span>
      {note !== undefined && (
        <small title={note} className="dr-danger">
          {note}
        </small>
      )}
    </li>
  )
}
