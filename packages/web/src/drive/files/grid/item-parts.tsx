// Parts that rows and tiles share: state classes, the checkbox, and the name or its edit field.
import type { ItemRecord } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { t } from '../../../core/i18n/i18n.ts'
import { EllipsizedName } from '../../../items/item/ellipsized-name.tsx'
import { isFolder } from '../../../items/item/item.ts'
import { Checkmark12Filled } from '../../../kit/icons.ts'
import { NameField } from './name-field.tsx'

/** The props of rows and tiles. */
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
  /** The current time, by the minute, for relative times. */
  readonly now: number
  readonly isTaken: (name: string) => boolean
  readonly onRename: (item: ItemRecord, name: string) => Promise<void>
  readonly onEditEnd: (isConfirmed: boolean) => void
}

/** Returns the CSS classes of an item by its state. */
export function itemClasses(base: string, props: RowProps): string {
  const { selected, cut, dropTarget, editing } = props
  return [base, selected && 'is-selected', cut && 'is-cut', dropTarget && 'is-drop', editing && 'is-editing']
    .filter(Boolean)
    .join(' ')
}

/** The checkbox of an item. The list handles its clicks. */
export function ItemCheck({ item, selected }: { item: ItemRecord; selected: boolean }): ReactNode {
  return (
    <span
      className="dr-check"
      role="checkbox"
      aria-checked={selected}
      aria-label={t('drive.select', { name: item.fName })}
      data-check=""
    >
      {selected && <Checkmark12Filled />}
    </span>
  )
}

/** The name, shortened in the middle, or its edit field. */
export function ItemName({ draggable, ...props }: RowProps & { readonly draggable?: boolean }): ReactNode {
  const { item, editing, isTaken, onRename, onEditEnd } = props
  const folder = isFolder(item)
  if (editing) {
    return (
      <NameField
        name={item.fName}
        isFolder={folder}
        isTaken={isTaken}
        onSave={(name) => onRename(item, name)}
        onEnd={onEditEnd}
      />
    )
  }
  return <EllipsizedName name={item.fName} isFolder={folder} className="dr-name" draggable={draggable} />
}
