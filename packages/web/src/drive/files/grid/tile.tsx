// One tile of the grid or the gallery: a picture where there is one, else the sign of its kind.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, hasStatus, itemStatus, shortTime } from '@cloudoc/domain'
import { memo, type ReactNode } from 'react'
import { t } from '../../../core/i18n/i18n.ts'
import { FileIcon, FolderIcon, type IconSize, LinkSign } from '../../item/file-icon.tsx'
import { extOf, isFolder, isLink } from '../../item/item.ts'
import { ItemCheck, ItemName, itemClasses, type RowProps } from './item-parts.tsx'
import { Thumbnail } from './thumbnail.tsx'
import './tile.css'

interface TileProps extends RowProps {
  readonly left: number
  readonly width: number
  readonly height: number
  /** How large the sign of its kind is. */
  readonly sign: IconSize
  readonly canPreview: boolean
}

/** A file or a folder as a tile. */
export const Tile = memo(function Tile(props: TileProps): ReactNode {
  const { item, index, top, left, width, height, sign, selected, focused, editing, locale, now } = props
  const folder = isFolder(item)
  return (
    // Keys are handled by the grid that the tile is in.
    <div
      role="row"
      className={itemClasses('dr-tile', props)}
      style={{ transform: `translate(${left}px, ${top}px)`, width, height }}
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-index={index}
      tabIndex={focused ? 0 : -1}
      draggable={!editing}
    >
      <div role="gridcell" className="dr-tile-inside">
        <ItemCheck item={item} selected={selected} />
        <span className="dr-tile-picture">
          <Picture item={item} sign={sign} canPreview={props.canPreview} />
        </span>
        <ItemName {...props} />
        <small>
          {item.editorId > 0
            ? t('drive.edits', { name: item.editorName })
            : folder || isLink(item)
              ? shortTime(item.modifyTime, now, locale)
              : formatSize(item.fileSize, 1)}
        </small>
      </div>
    </div>
  )
})

interface PictureProps {
  readonly item: ItemRecord
  readonly sign: IconSize
  readonly canPreview: boolean
}

/** The picture of an item, as large as there is room for; a link bears its sign over it. */
export function Picture(props: PictureProps): ReactNode {
  if (!isLink(props.item)) return <PlainPicture {...props} />
  return (
    <span className="dr-icon-stack">
      <PlainPicture {...props} />
      <LinkSign isBroken={props.item.fId === 0} />
    </span>
  )
}

function PlainPicture({ item, sign, canPreview }: PictureProps): ReactNode {
  if (isFolder(item)) {
    const readOnly = hasStatus(itemStatus(item.itemStatus), 'folderReadOnly')
    return <FolderIcon size={sign} look={readOnly ? 'locked' : 'plain'} />
  }
  const icon = <FileIcon ext={extOf(item)} size={sign} />
  return canPreview ? <Thumbnail item={item} otherwise={icon} /> : icon
}
