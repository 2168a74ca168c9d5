// A tag as it is drawn everywhere: a chip with a dot of its colour.

import type { ItemRecord, Tag } from '@cloudoc/contract'
import { type TagColour } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { t, useT } from '../../core/i18n/i18n.ts'
import { useTagsOf } from './item-tags.ts'
import './labels.css'

/** The dot of a tag. */
export function TagDot({ colour }: { readonly colour: TagColour }): ReactNode {
  return <i className={`dr-tag-dot is-${colour}`} aria-hidden="true" />
}

/** Chips of a row at most; the others are counted. */
const mostInRow = 2

interface RowTagsProps {
  readonly item: ItemRecord
  /** Those that the list itself is of. */
  readonly except?: readonly number[]
}

/** What a row bears, beside its name or in a column. */
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

/** A small chip that does nothing. */
export function TagChip({ tag }: { readonly tag: Tag }): ReactNode {
  return (
    <span className="dr-label">
      <TagDot colour={tag.colour} />
      <span className="dr-label-name">{tag.tagName}</span>
    </span>
  )
}

/** All that an item bears; nothing where there is none. */
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
