// The display of a tag in all views: a chip with a dot in its colour.

import type { ItemRecord, Tag } from '@cloudoc/contract'
import { type TagColour } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { t, useT } from '../../core/i18n/i18n.ts'
import { useTagsOf } from './item-tags.ts'
import './labels.css'

export function TagDot({ colour }: { readonly colour: TagColour }): ReactNode {
  return <i className={`dr-tag-dot is-${colour}`} aria-hidden="true" />
}

/** The maximum number of chips in a row. The others are only counted. */
const mostInRow = 2

interface RowTagsProps {
  readonly item: ItemRecord
  /** The tags that the list itself is filtered by. */
  readonly except?: readonly number[]
}

/** The tags of a row, next to its name or in a column. */
export function RowTags({ item, except = [] }: RowTagsProps): ReactNode {
  const tags = useTagsOf(item).filter(({ tagId }) => !except.includes(tagId))
  if (tags.length === 0) return null
  const rest = tags.length - mostInRow
  return (
    <span className="dr-label-row" title={tags.map(({ tagName }) => tagName).join(t('drive.rights.and'))}>
      {tags.slice(0, mostInRow).map((tag) => (
        <TagChip key={tag.tagId} tag={tag} />
      ))}
      {rest > 0 && <small>+{rest}</small>}
    </span>
  )
}

/** A small chip without interaction. */
export function TagChip({ tag }: { readonly tag: Tag }): ReactNode {
  return (
    <span className="dr-label">
      <TagDot colour={tag.colour} />
      <span className="dr-label-name">{tag.tagName}</span>
    </span>
  )
}

/** All tags of an item. Renders nothing if it has none. */
export function ItemTags({ item }: { readonly item: ItemRecord }): ReactNode {
  const t = useT()
  const tags = useTagsOf(item)
  if (tags.length === 0) return null
  return (
    <section className="dr-info-tags">
      <h3>{t('tags.title')}</h3>
      <div className="dr-label-row is-wrapped">
        {tags.map((tag) => (
          <TagChip key={tag.tagId} tag={tag} />
        ))}
      </div>
    </section>
  )
}
