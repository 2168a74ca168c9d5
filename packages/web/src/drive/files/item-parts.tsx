// What a row and a tile draw alike: their states, the box that chooses them, and their name, which may be being changed.
import type { ItemRecord } from '@cloudoc/contract'
import { Checkmark12Filled } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { t } from '../../core/i18n.ts'
import { isFolder } from '../item.ts'
import { MiddleName } from '../middle-name.tsx'
import { NameField } from './name-field.tsx'
import type { RowProps } from './row.tsx'

/** The classes of an item's element by its states. */
export function itemClasses(base: string, props: RowProps): string {
  const { selected, cut, dropTarget, editing } = props
  return [base, selected && 'is-selected', cut && 'is-cut', dropTarget && 'is-drop', editing && 'is-editing']
    .filter(Boolean)
    .join(' ')
}

/** The box that chooses an item; the list answers its clicks. */
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

/** The name, shortened in its middle, or the field that changes it. */
export function ItemName({ draggable, ...props }: RowProps & { readonly draggable?: true }): ReactNode {
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
  return <MiddleName name={item.fName} isFolder={folder} className="dr-name" draggable={draggable} />
}
