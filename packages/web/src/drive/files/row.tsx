// One row of the list. Memoised: a scroll or a click elsewhere draws nothing here. Events are handled by the list, which
// finds the row by its position.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, hasStatus, itemStatus, type Locale, shortTime } from '@cloudoc/domain'
import { Checkmark12Filled } from '@fluentui/react-icons'
import { memo, type ReactNode } from 'react'
import { t } from '../../core/i18n.ts'
import { FileIcon, FolderIcon } from '../file-icon.tsx'
import { extOf, isFolder, nameParts } from '../item.ts'
import { NameField } from './name-field.tsx'

export interface RowProps {
  readonly item: ItemRecord
  readonly index: number
  readonly top: number
  readonly selected: boolean
  readonly focused: boolean
  readonly cut: boolean
  readonly editing: boolean
  readonly dropTarget: boolean
  readonly locale: Locale
  /** The minute the times are told at. */
  readonly now: number
  readonly isTaken: (name: string) => boolean
  readonly onRename: (item: ItemRecord, name: string) => Promise<void>
  readonly onEditEnd: () => void
}

/** A file or a folder in the list. */
export const Row = memo(function Row(props: RowProps): ReactNode {
  const { item, index, top, selected, focused, cut, editing, dropTarget, locale, now } = props
  const classes = ['dr-row']
  if (selected) classes.push('is-selected')
  if (cut) classes.push('is-cut')
  if (dropTarget) classes.push('is-drop')
  if (editing) classes.push('is-editing')
  const folder = isFolder(item)
  const { head, tail } = nameParts(item.fName, folder)
  const readOnly = folder && hasStatus(itemStatus(item.itemStatus), 'folderReadOnly')
  return (
    // Keys are handled by the grid that the row is in.
    <div
      role="row"
      id={`row-${item.itemIdStr}`}
      className={classes.join(' ')}
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-index={index}
      tabIndex={focused ? 0 : -1}
      draggable={selected && !editing}
    >
      <span role="gridcell" className="dr-cell-check">
        <span
          className="dr-check"
          role="checkbox"
          aria-checked={selected}
          aria-label={t('drive.select', { name: item.fName })}
          data-check=""
        >
          {selected && <Checkmark12Filled />}
        </span>
      </span>
      <span role="gridcell" className="dr-cell-name">
        <span className="dr-cell-icon" draggable={!editing}>
          {folder ? <FolderIcon look={readOnly ? 'locked' : 'plain'} /> : <FileIcon ext={extOf(item)} />}
        </span>
        {editing ? (
          <NameField
            name={item.fName}
            isFolder={folder}
            isTaken={props.isTaken}
            onSave={(name) => props.onRename(item, name)}
            onEnd={props.onEditEnd}
          />
        ) : (
          <span className="dr-name dr-mid" title={item.fName} draggable="true">
            <span>{head}</span>
            {tail !== '' && <span>{tail}</span>}
          </span>
        )}
        {readOnly && <span className="dr-tag">{t('drive.readOnly')}</span>}
      </span>
      <span role="gridcell" className="dr-cell-time" title={new Date(item.modifyTime).toLocaleString(locale)}>
        {shortTime(item.modifyTime, now, locale)}
      </span>
      <span role="gridcell" className="dr-cell-by" title={item.lastOperatorName}>
        {item.lastOperatorName}
      </span>
      <span role="gridcell" className="dr-cell-size">
        {folder ? '—' : formatSize(item.fileSize)}
      </span>
    </div>
  )
})
