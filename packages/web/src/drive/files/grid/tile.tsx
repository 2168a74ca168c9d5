// One tile: a folder card, a file with its picture above its name, or in the gallery only the picture, with the name on
// hover or focus.
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, hasStatus, itemStatus, shortTime } from '@cloudoc/domain'
import { memo, type ReactNode } from 'react'
import { t } from '../../../core/i18n/i18n.ts'
import { editorNames, editorsText } from '../../../items/item/editors.ts'
import { FileIcon, FolderIcon, folderIconState, type IconSize, LinkSign } from '../../../items/item/file-icon.tsx'
import { extOf, isFolder, isLink } from '../../../items/item/item.ts'
import { IconStack } from '../../../items/item/local-copies.tsx'
import { isRestricted, RestrictedTag } from '../../../items/item/restricted-tag.tsx'
import { SensitiveTag } from '../../../items/item/sensitive-tag.tsx'
import { useTagsOf } from '../../../items/labels/item-tags.ts'
import { TagDot } from '../../../items/labels/tag-chip.tsx'
import { LockClosed12Regular, Star16Filled } from '../../../kit/icons.ts'
import { ItemCheck, ItemName, itemClasses, type RowProps } from './item-parts.tsx'
import { Thumbnail } from './thumbnail.tsx'
import type { TileVariant } from './use-grid-layout.ts'
import './tile.css'

interface TileProps extends RowProps {
  readonly look: TileVariant
  readonly left: number
  readonly width: number
  readonly height: number
  /** The size of the file type icon. */
  readonly sign: IconSize
  readonly canPreview: boolean
}

/** A tile for a file or a folder. */
export const Tile = memo(function Tile(props: TileProps): ReactNode {
  const { item, index, top, left, width, height, look, selected, focused, editing } = props
  return (
    // The grid around the tile handles the keys.
    <div
      role="row"
      className={`${itemClasses('dr-tile', props)} is-${look}`}
      style={{ transform: `translate(${left}px, ${top}px)`, width, height }}
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-index={index}
      tabIndex={focused ? 0 : -1}
      draggable={!editing}
    >
      <div role="gridcell" className="dr-tile-inside">
        <ItemCheck item={item} selected={selected} />
        {look === 'card' ? <Card {...props} /> : <Sheet {...props} />}
      </div>
    </div>
  )
})

function Card(props: TileProps): ReactNode {
  const { item, locale, now } = props
  const readOnly = hasStatus(itemStatus(item.itemStatus), 'folderReadOnly')
  return (
    <>
      <Picture item={item} sign={props.sign} canPreview={false} />
      <span className="dr-tile-words">
        <span className="dr-tile-name">
          <ItemName {...props} />
          <Marks item={item} />
        </span>
        <small>
          {shortTime(item.modifyTime, now, locale)}
          {readOnly && ` · ${t('drive.readOnly')}`}
        </small>
      </span>
    </>
  )
}

function Sheet(props: TileProps): ReactNode {
  const { item, look, sign, canPreview, locale, now } = props
  const isPhoto = look === 'photo'
  return (
    <>
      <span className="dr-tile-picture">
        <Picture item={item} sign={sign} canPreview={canPreview} />
        {editorsText(item) !== '' && (
          <span className="dr-tile-lock" title={editorsText(item)}>
            <LockClosed12Regular />
            {editorNames(item)}
          </span>
        )}
      </span>
      <span className="dr-tile-words">
        <span className="dr-tile-name">
          {!isPhoto && (isFolder(item) ? <FolderIcon size={16} /> : <FileIcon ext={extOf(item)} size={16} />)}
          <ItemName {...props} />
          <Marks item={item} />
        </span>
        <small>{isPhoto ? formatSize(item.fileSize, 1) : shortTime(item.modifyTime, now, locale)}</small>
      </span>
    </>
  )
}

/**
 * The marks that a row shows next to its name: the star, the sign of a restricted document, the result of the sensitive word check, and the tag colours.
 */
function Marks({ item }: { readonly item: ItemRecord }): ReactNode {
  const tags = useTagsOf(item)
  const isFavorite = hasStatus(itemStatus(item.itemStatus), 'favorite')
  if (!isFavorite && tags.length === 0 && item.sensitive === 0 && !isRestricted(item)) return null
  const names = tags.map(({ tagName }) => tagName).join(t('drive.rights.and'))
  return (
    <span className="dr-tile-marks">
      {isFavorite && <Star16Filled className="dr-star" aria-label={t('favorites.sign')} role="img" />}
      <RestrictedTag item={item} sign />
      <SensitiveTag item={item} sign />
      {tags.length > 0 && (
        <span role="img" aria-label={`${t('tags.title')}: ${names}`} title={names}>
          {tags.slice(0, mostDots).map(({ tagId, colour }) => (
            <TagDot key={tagId} colour={colour} />
          ))}
        </span>
      )}
    </span>
  )
}

const mostDots = 3

interface PictureProps {
  readonly item: ItemRecord
  readonly sign: IconSize
  readonly canPreview: boolean
}

/** The picture of an item, as large as the space allows. A link has its icon over the picture. */
export function Picture(props: PictureProps): ReactNode {
  return (
    <IconStack item={props.item}>
      <PlainPicture {...props} />
      {isLink(props.item) && <LinkSign isBroken={props.item.fId === 0} />}
    </IconStack>
  )
}

function PlainPicture({ item, sign, canPreview }: PictureProps): ReactNode {
  if (isFolder(item)) {
    return <FolderIcon size={sign} look={folderIconState(itemStatus(item.itemStatus))} />
  }
  const icon = <FileIcon ext={extOf(item)} size={sign} />
  return canPreview ? <Thumbnail item={item} otherwise={icon} /> : icon
}
