import { extNameOf } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { EllipsizedName } from './ellipsized-name.tsx'
import { FileIcon, FolderIcon } from './file-icon.tsx'
import './dialogs.css'

interface ItemLineProps {
  readonly name: string
  readonly isFolder: boolean
  readonly note?: string
  /** Buttons for the item. */
  readonly children?: ReactNode
}

/** An item in the list of a dialog, with a note. */
export function ItemLine({ name, isFolder, note, children }: ItemLineProps): ReactNode {
  return (
    <li className="dr-item-line">
      {isFolder ? <FolderIcon /> : <FileIcon ext={extNameOf(name)} />}
      <EllipsizedName name={name} isFolder={isFolder} />
      {note !== undefined && (
        <small title={note} className="dr-danger">
          {note}
        </small>
      )}
      {children}
    </li>
  )
}
