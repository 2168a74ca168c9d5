// One row of the list. It is memoised: scrolling or a click elsewhere does not render it again. The list handles events
// and finds the row by its position.
import { hasStatus, itemStatus } from '@cloudoc/domain'
import { memo, type ReactNode } from 'react'
import { t } from '../../../core/i18n/i18n.ts'
import { LevelTag } from '../../../items/conditions/levels.tsx'
import { editorsText } from '../../../items/item/editors.ts'
import { FileIcon, FolderIcon, folderIconState, LinkSign } from '../../../items/item/file-icon.tsx'
import { extOf, isFolder, isLink, keyOf } from '../../../items/item/item.ts'
import { ConflictChip, IconStack } from '../../../items/item/local-copies.tsx'
import { RestrictedTag } from '../../../items/item/restricted-tag.tsx'
import { SensitiveTag } from '../../../items/item/sensitive-tag.tsx'
import { RowTags } from '../../../items/labels/tag-chip.tsx'
import { StatusChip } from '../../../kit/chips.tsx'
import { Eye16Regular, Star16Filled } from '../../../kit/icons.ts'
import type { ItemColumn } from './columns.ts'
import { ItemCheck, ItemName, itemClasses, type RowProps } from './item-parts.tsx'
import type { RowRenderer } from './list-source.ts'
import { Thumbnail } from './thumbnail.tsx'

interface ListRowProps extends RowProps {
  readonly columns: readonly ItemColumn[]
  readonly look: RowRenderer | undefined
  /** Whether the row can be dragged. */
  readonly canDrag: boolean
}

/** A row for a file or a folder. */
export const Row = memo(function Row(props: ListRowProps): ReactNode {
  const { item, index, top, selected, focused, editing, locale, now, columns, look, canDrag } = props
  const folder = isFolder(item)
  const link = isLink(item)
  const status = itemStatus(item.itemStatus)
  const followed = hasStatus(status, 'watchChange') || hasStatus(status, 'watchDownload')
  const edited = editorsText(item)
  const readOnly = folder && hasStatus(status, 'folderReadOnly')
  return (
    // The grid around the row handles the keys.
    <div
      role="row"
      id={`row-${keyOf(item)}`}
      className={itemClasses(look === undefined ? 'dr-row' : 'dr-row is-tall', props)}
      style={{ transform: `translateY(${top}px)`, ...(look && { height: look.height }) }}
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-index={index}
      tabIndex={focused ? 0 : -1}
      draggable={canDrag && selected && !editing}
    >
      <span role="gridcell" className="dr-cell-check">
        <ItemCheck item={item} selected={selected} />
      </span>
      <span role="gridcell" className="dr-cell-name">
        <span className="dr-cell-icon" draggable={canDrag && !editing}>
          <IconStack item={item}>
            {folder ? (
              <FolderIcon look={folderIconState(status)} />
            ) : look !== undefined && !link ? (
              <Thumbnail item={item} otherwise={<FileIcon ext={extOf(item)} />} />
            ) : (
              <FileIcon ext={extOf(item)} />
            )}
            {link && <LinkSign isBroken={item.fId === 0} />}
          </IconStack>
        </span>
        {look === undefined ? <ItemName {...props} draggable={canDrag} /> : look.name(item)}
        {hasStatus(status, 'favorite') && (
          <Star16Filled className="dr-star" aria-label={t('favorites.sign')} role="img" />
        )}
        {followed && <Eye16Regular className="dr-watch" aria-label={t('drive.follow.sign')} role="img" />}
        {!folder && <LevelTag level={item.secretLevel} name={item.secretName} />}
        <RestrictedTag item={item} />
        <SensitiveTag item={item} />
        {readOnly && <StatusChip>{t('drive.readOnly')}</StatusChip>}
        {hasStatus(status, 'spaceLimit') && <StatusChip>{t('drive.limited')}</StatusChip>}
        {edited !== '' && <StatusChip>{edited}</StatusChip>}
        {!folder && <ConflictChip item={item} />}
        {hasStatus(status, 'associateFolder') && <StatusChip>{t('associated.sign')}</StatusChip>}
        {!columns.some(({ showsTags }) => showsTags) && <RowTags item={item} />}
        {look !== undefined && <span className="dr-row-below">{look.below(item)}</span>}
      </span>
      {columns.map(({ id, text, cell, title = (one) => text(one, now, locale) }) => (
        <span key={id} role="gridcell" className={`dr-cell-${id}`} title={title(item)}>
          {cell?.(item) ?? text(item, now, locale)}
        </span>
      ))}
    </div>
  )
})
